print("sprocket")

SprocketProgram.run(Array(CommandLine.arguments.dropFirst()))

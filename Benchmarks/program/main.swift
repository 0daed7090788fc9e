BenchProgram.run(Array(CommandLine.arguments.dropFirst()))

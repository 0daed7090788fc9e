// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: Swift 6 mode, imports internal unless said otherwise, members visible only through a direct import.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The engine exists on Linux alone; on Apple's systems the same client source uses Apple's frameworks.
let linux: TargetDependencyCondition? = .when(platforms: [.linux])

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

let values: [Target.Dependency] = ["CoreGraphics", "CoreVideo", "CoreMedia", "QuartzCore", "UniformTypeIdentifiers"]
let engine: [Target.Dependency] = values + ["MediaRuntime", "MediaIO", "MediaEngine"]
let facade: [Target.Dependency] =
  engine + ["FFmpegBackend", "ImageIO", "AudioOutput", "VideoOutput", "AVFAudio"]

let package = Package(
  name: "Sprocket",
  products: [
    .library(name: "Sprocket", targets: ["SprocketExports", "PlayerKit"]),
    // Apart, so that a client with another Combine can leave it out.
    .library(name: "SprocketCombine", targets: ["Combine"]),
    .executable(name: "sprocket", targets: ["sprocket"]),
  ],
  targets: [
    // C libraries: module maps and shims, no logic.
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat",
      providers: [
        .apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavfilter-dev"])
      ]),
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),

    // Value types with Apple's names.
    // Needed by every test that imports Testing beside these modules; the file in it says why.
    module("_Testing_CoreGraphics"),
    module("CoreGraphics", ["_Testing_CoreGraphics"]),
    module("CoreMedia", ["CoreGraphics", "CoreVideo"]),
    module("CoreVideo", ["CoreGraphics"]),
    module("QuartzCore", ["CoreGraphics", "CoreMedia"]),
    module("UniformTypeIdentifiers"),

    // The engine.
    .systemLibrary(name: "CLinux"),
    module("MediaRuntime", ["CoreMedia", "CLinux"]),
    module("MediaIO", ["MediaRuntime", "CoreMedia"]),
    module("MediaEngine", values + ["MediaRuntime", "MediaIO"]),
    module("FFmpegBackend", engine + ["CFFmpeg"]),
    module("ImageIO", engine + ["FFmpegBackend"]),
    module("AudioOutput", engine + ["CPulse"]),
    module("VideoOutput", engine),
    .systemLibrary(name: "CAss", providers: [.apt(["libass-dev"])]),
    module("SubtitleRendering", engine + ["CAss"]),

    // Apple's API.
    module("AVFAudio", engine + ["FFmpegBackend", "ImageIO", "AudioOutput", "VideoOutput"]),
    module("AVFoundation", facade),
    module("Combine", ["AVFoundation", "MediaRuntime"]),

    // Checks and reports on media.
    module("MediaDiagnosis", engine + ["FFmpegBackend"]),

    // What the product names on every host.
    .target(
      name: "SprocketExports",
      dependencies: [.target(name: "AVFoundation", condition: linux)],
      swiftSettings: settings),

    // Helpers for player apps, on Apple's API alone: they build on Apple's systems too.
    module("PlayerKit", [.target(name: "AVFoundation", condition: linux)]),

    // Programs.
    .executableTarget(
      name: "sprocket",
      dependencies: [
        "AVFoundation", "AudioOutput", "ImageIO", "VideoOutput", "SubtitleRendering", "MediaDiagnosis", "MediaRuntime",
      ],
      path: "Sources/sprocket",
      swiftSettings: settings),

    // Drivers of ./run conformance, soak and fuzz; not part of the product.
    .executableTarget(
      name: "sprocket-lab", dependencies: facade + ["AVFoundation", "MediaDiagnosis", "MediaTestSupport"],
      swiftSettings: settings),

    // Driver of ./run bench.
    .executableTarget(
      name: "sprocket-bench", dependencies: engine + ["FFmpegBackend", "AVFoundation"], path: "Benchmarks/program",
      swiftSettings: settings),

    // Tests.
    module("MediaTestSupport", facade + ["AVFoundation"]),
    tests("ValueTests", values),
    tests("MediaRuntimeTests", ["CoreMedia", "MediaRuntime", "MediaTestSupport", "TraceProbe"]),
    .executableTarget(
      name: "TraceProbe", dependencies: facade + ["AVFoundation", "MediaTestSupport"], path: "Tests/TraceProbe",
      swiftSettings: settings),
    tests(
      "MediaEngineTests", engine + ["FFmpegBackend", "MediaTestSupport", "TraceProbe"], exclude: ["Dumps"]),
    tests("FFmpegBackendTests", engine + ["FFmpegBackend", "ImageIO", "MediaTestSupport"]),
    tests("MediaDiagnosisTests", engine + ["FFmpegBackend", "MediaDiagnosis", "MediaTestSupport"]),
    tests("OutputTests", engine + ["AudioOutput", "VideoOutput", "MediaTestSupport"]),
    tests(
      "SubtitleRenderingTests", engine + ["SubtitleRendering", "FFmpegBackend", "ImageIO", "MediaTestSupport"]),
    // Real devices, daemons and real time: run one by one.
    tests("DeviceTests", facade + ["AVFoundation", "MediaTestSupport"]),
    tests("AVFoundationTests", facade + ["AVFoundation", "MediaTestSupport", "TraceProbe"]),
    tests("CompatibilityTests", ["SprocketExports"]),
    tests("CombineTests", ["AVFoundation", "Combine", "MediaRuntime", "MediaTestSupport"]),
    tests("PlayerKitTests", ["PlayerKit", "AVFoundation", "MediaTestSupport", "sprocket"]),
    tests("CommandTests", ["sprocket", "AVFoundation", "ImageIO", "VideoOutput", "MediaTestSupport"]),
    tests("HouseTests", facade + ["AVFoundation", "MediaTestSupport"]),
  ]
)

// The one product that a client names on every host. On Linux it brings in Sprocket's AVFoundation;
// on Apple's systems it is empty and `import AVFoundation` means Apple's framework.
#if os(Linux)
  @_exported public import AVFoundation
#endif

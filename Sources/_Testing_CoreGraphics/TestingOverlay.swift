// Swift Testing on Linux declares a cross-import overlay for any module named CoreGraphics, but the toolchain ships none:
// without a module of this name, a file that imports Testing and (through AVFoundation) CoreGraphics does not compile.

import AVFoundation
import MediaRuntime

/// Takes a film's pictures in the order of their times and writes them: each into a file of its own, or onto sheets.
final class ThumbnailWriter: Sendable {
  /// A picture that was written.
  struct Written: Equatable, Sendable {
    var time: CMTime
    var actualTime: CMTime
    var path: String
    var x = 0
    var y = 0
    var width: Int
    var height: Int
  }

  private struct State {
    var next = 0
    var canvas: ImageCanvas?
    /// Size of a sheet's cells: the first picture's.
    var cell: (width: Int, height: Int)?
    /// Pictures of the sheet that is being filled.
    var cells: [(shot: ThumbnailPlan.Shot, written: Written)] = []
    var written: [Written] = []
    var problems: [String] = []
    var cues = SpriteCues()
    var failure: OutputError?
  }

  private let plan: ThumbnailPlan
  private let options: ThumbnailOptions
  private let names: ThumbnailNames
  private let file: ThumbnailFile
  private let state = Lock(State())

  init(_ plan: ThumbnailPlan, _ options: ThumbnailOptions, _ names: ThumbnailNames, _ file: ThumbnailFile) {
    self.plan = plan
    self.options = options
    self.names = names
    self.file = file
  }

  var written: [Written] { state.withLock { $0.written } }
  var problems: [String] { state.withLock { $0.problems } }
  var failure: OutputError? { state.withLock { $0.failure } }

  /// - Returns: how many of all have been dealt with.
  @discardableResult
  func take(_ image: CGImage?, at actualTime: CMTime, problem: String?) -> Int {
    state.withLock { state in
      let index = state.next
      state.next += 1
      guard state.failure == nil, plan.shots.indices.contains(index) else { return state.next }
      do throws(OutputError) {
        if let sheet = options.sheet {
          try lay(image, index, actualTime, sheet, &state)
        } else if let image {
          let path = names.path(index, of: plan.shots.count)
          try file.write(image, as: names.format, to: path)
          state.written.append(
            Written(
              time: plan.shots[index].time, actualTime: actualTime, path: path, width: image.width,
              height: image.height))
        }
      } catch {
        state.failure = error
      }
      if image == nil, let problem {
        state.problems.append("\(TimeText.text(plan.shots[index].time, showsTenths: true)): \(problem)")
      }
      return state.next
    }
  }

  /// Pixels between pictures: web players want none.
  private var gap: Int { options.writesCues ? 0 : 4 }

  private func lay(
    _ image: CGImage?, _ index: Int, _ actualTime: CMTime, _ sheet: ThumbnailOptions.Sheet, _ state: inout State
  ) throws(OutputError) {
    let place = index % sheet.count
    if let image {
      let cell = state.cell ?? (image.width, image.height)
      state.cell = cell
      let number = index / sheet.count
      let inSheet = min(sheet.count, plan.shots.count - number * sheet.count)
      let columns = min(sheet.columns, plan.shots.count)
      if state.canvas == nil {
        let rows = (inSheet + sheet.columns - 1) / sheet.columns
        state.canvas = ImageCanvas(
          width: columns * (cell.width + gap) - gap, height: rows * (cell.height + gap) - gap)
        guard state.canvas != nil else {
          throw OutputError(
            message:
              "A sheet of \(sheet.columns) × \(rows) pictures of \(cell.width) × \(cell.height) is too large. Choose a smaller --size or --sheet."
          )
        }
      }
      let (x, y) = (place % sheet.columns * (cell.width + gap), place / sheet.columns * (cell.height + gap))
      state.canvas?.draw(image, x: x, y: y)
      let path = names.path(number, of: (plan.shots.count + sheet.count - 1) / sheet.count)
      state.cells.append(
        (
          plan.shots[index],
          Written(
            time: plan.shots[index].time, actualTime: actualTime, path: path, x: x, y: y,
            width: min(image.width, cell.width), height: min(image.height, cell.height))
        ))
    }
    if place == sheet.count - 1 || index == plan.shots.count - 1 { try finishSheet(&state) }
  }

  private func finishSheet(_ state: inout State) throws(OutputError) {
    guard let image = state.canvas?.image, let path = state.cells.first?.written.path else { return }
    state.canvas = nil
    try file.write(image, as: names.format, to: path)
    let name = URL(fileURLWithPath: path).lastPathComponent
    for (shot, cell) in state.cells {
      state.cues.add(shot, file: name, x: cell.x, y: cell.y, width: cell.width, height: cell.height)
      state.written.append(cell)
    }
    state.cells = []
  }

  /// Behind the last picture.
  /// - Returns: the WebVTT file, if one was wanted.
  func finish() -> String? {
    guard options.writesCues else { return nil }
    return state.withLock { state in
      guard state.failure == nil, !state.written.isEmpty else { return nil }
      do throws(OutputError) {
        try file.write(state.cues.data, to: names.cuePath)
        return names.cuePath
      } catch {
        state.failure = error
        return nil
      }
    }
  }
}

import Testing

/// Everything that needs a real device, a daemon or real time: one test at a time, none for longer than a minute.
@Suite(.serialized, .timeLimit(.minutes(1))) enum DeviceTests {}

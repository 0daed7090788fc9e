internal import CLinux

/// Bytes that the process has allocated and not freed, whatever the allocator keeps beyond them.
package var allocatedBytes: Int { Int(linux_allocated_bytes()) }

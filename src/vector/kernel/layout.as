// Where the kernel finds things: fields that src/vector/layout.ts writes.

// The header: 32-bit fields that layout.ts writes at this address, in this order.
const HEADER: usize = 64;
// @ts-ignore: decorator
@inline export function stride(): i32 { return load<i32>(HEADER); } // components of a row, a multiple of 32, zero padded
// @ts-ignore: decorator
@inline export function slotEnd(): i32 { return load<i32>(HEADER, 4); } // slots in use are below this
// @ts-ignore: decorator
@inline export function rowEnd(): i32 { return load<i32>(HEADER, 8); } // rows in use are below this
// @ts-ignore: decorator
@inline export function queryAt(): usize { return load<u32>(HEADER, 12); } // f32 × stride
// @ts-ignore: decorator
@inline export function queryCodesAt(): usize { return load<u32>(HEADER, 16); } // i16 × stride
// @ts-ignore: decorator
@inline export function rangesAt(): usize { return load<u32>(HEADER, 20); } // (first row: u32, rows: u32) per slot
// @ts-ignore: decorator
@inline export function maskAt(): usize { return load<u32>(HEADER, 24); } // u8 per slot
// @ts-ignore: decorator
@inline export function wholeAt(): usize { return load<u32>(HEADER, 28); } // f32 per slot
// @ts-ignore: decorator
@inline export function bestAt(): usize { return load<u32>(HEADER, 32); } // f32 per slot
// @ts-ignore: decorator
@inline export function boundsAt(): usize { return load<u32>(HEADER, 36); } // (upper bound: f32, slot: u32) per slot
// @ts-ignore: decorator
@inline export function hitsAt(): usize { return load<u32>(HEADER, 40); } // (score: f64, slot: u32, unused: u32) per slot
// @ts-ignore: decorator
@inline export function stepsAt(): usize { return load<u32>(HEADER, 44); } // s: f32 per row
// @ts-ignore: decorator
@inline export function errorsAt(): usize { return load<u32>(HEADER, 48); } // |e|: f32 per row
// @ts-ignore: decorator
@inline export function normsAt(): usize { return load<u32>(HEADER, 52); } // |s·c|: f32 per row
// @ts-ignore: decorator
@inline export function dotsAt(): usize { return load<u32>(HEADER, 56); } // integer dot products, then upper bounds: 32 bits per row
// @ts-ignore: decorator
@inline export function lowsAt(): usize { return load<u32>(HEADER, 60); } // lower bounds: f32 per row
// @ts-ignore: decorator
@inline export function codesAt(): usize { return load<u32>(HEADER, 64); } // i8 × stride per row
// @ts-ignore: decorator
@inline export function rowsAt(): usize { return load<u32>(HEADER, 68); } // f32 × stride per row

/** The next slot at or after `slot` that the mask allows, or `end`; leaps over eight refused slots at a time. */
// @ts-ignore: decorator
@inline export function nextAllowed(slot: i32, end: i32): i32 {
  const mask = maskAt();
  while (slot < end) {
    if ((slot & 7) == 0 && slot + 8 <= end && load<u64>(mask + slot) == 0) slot += 8;
    else if (load<u8>(mask + slot) != 0) break;
    else slot++;
  }
  return slot;
}

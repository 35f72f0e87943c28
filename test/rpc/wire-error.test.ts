import { describe, expect, it } from "vitest";
import { isMemoryError, MemoryError } from "../../src/errors.js";
import { fromWire, toWire } from "../../src/rpc/wire-error.js";

const crossed = (error: unknown) => fromWire(structuredClone(toWire(error))) as Error;

describe("an error that crosses a worker", () => {
  it("keeps code, message and the whole chain of causes", () => {
    const error = crossed(
      new MemoryError("storage-failed", "the write failed", {
        cause: new RangeError("deep", { cause: new MemoryError("closed", "deeper") }),
      }),
    );
    expect(isMemoryError(error, "storage-failed")).toBe(true);
    expect(error.message).toBe("the write failed");
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(isMemoryError((error.cause as Error).cause, "closed")).toBe(true);
  });

  it("stays a TypeError or RangeError for wrong arguments", () => {
    expect(crossed(new TypeError("no"))).toBeInstanceOf(TypeError);
    expect(crossed(new RangeError("no"))).toBeInstanceOf(RangeError);
  });

  it("stays an AbortError, which callers tell by its name", () => {
    const error = crossed(new DOMException("stopped", "AbortError"));
    expect(error).toBeInstanceOf(DOMException);
    expect(error.name).toBe("AbortError");
  });

  it("keeps the name of an error of a class that the page does not know", () => {
    class ModelNotLoadedError extends Error {
      override name = "ModelNotLoadedError";
    }
    expect(crossed(new ModelNotLoadedError("load it")).name).toBe("ModelNotLoadedError");
  });

  it("turns a thrown value that is no error into its text", () => {
    expect(crossed(12)).toBe("12");
  });
});

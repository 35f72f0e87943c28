/** What a source gives, piece by piece. */

/** Pieces of a stream, also where streams are not iterable (Safari). */
export function piecesOf<Piece>(source: ReadableStream<Piece> | AsyncIterable<Piece>): AsyncIterator<Piece> {
  if (!("getReader" in source)) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done: true, value: undefined } : { done: false, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

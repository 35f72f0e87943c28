/** Which sessions of LongMemEval may be learned from. */

/** ShareGPT's are of unclear licence. */
export const isPermissive = (sessionId: string): boolean => !sessionId.includes("sharegpt_");

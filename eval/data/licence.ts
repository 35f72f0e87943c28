/** Which sessions of LongMemEval may be learned from, and be part of what is written for others to learn from. */

/** ShareGPT's are of unclear licence; some of them hold evidence, and their id begins with "answer_".
 * @param sessionId as the file has it */
export const isPermissive = (sessionId: string): boolean => !sessionId.includes("sharegpt_");

/** Lets others have the thread between two slices of long work. */

/** Resolves after the messages that wait now: a recall, an abort. A timer would be clamped to 4 ms a time. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

import { type ZipEntry, zipOf } from "./zip";

/**
 * Returns an archive that is made while it is sent, a part at a time. `ended`: called once, when the last part was sent
 * or the download was cancelled.
 */
export function archiveStream(
  entries: AsyncIterable<ZipEntry>,
  ended: (complete: boolean) => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const parts = zipOf(entries);
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const part = await parts.next();
      if (!part.done) return controller.enqueue(part.value);
      await ended(true);
      controller.close();
    },
    cancel: async () => {
      await parts.return(undefined);
      await ended(false);
    },
  });
}

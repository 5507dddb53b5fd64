import { Zip, ZipPassThrough } from "fflate";

/** Describes one file of an archive: as a whole, or coming a part at a time. */
export type ZipEntry = { name: string; bytes: Uint8Array } | { name: string; parts: AsyncIterable<Uint8Array> };

/**
 * Limits an archive, whose fields have two bytes for the number of files and four for places; 64 MiB are for the
 * directory.
 */
const MAX_FILES = 65_535;
const MAX_BYTES = 0xffff_ffff - 64 * 1024 * 1024;

/**
 * Packs files into an archive without compressing them: memory holds one of them, or one part of one. Fits up to 65,535
 * files and 4 GiB; throws beyond, before it would write an archive that nobody can open.
 */
async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const packed: Uint8Array[] = [];
  const archive = new Zip((error, part) => {
    if (error) throw error;
    packed.push(part);
  });
  let files = 0;
  let bytes = 0;
  for await (const entry of entries) {
    files += 1;
    if (files > MAX_FILES) throw new Error("Too many files for one archive");
    const file = new ZipPassThrough(entry.name);
    archive.add(file);
    for await (const part of "bytes" in entry ? [entry.bytes] : entry.parts) {
      bytes += part.length;
      if (bytes > MAX_BYTES) throw new Error("Too much for one archive");
      file.push(part);
      yield* packed.splice(0);
    }
    file.push(new Uint8Array(), true);
    yield* packed.splice(0);
  }
  archive.end();
  yield* packed;
}

/** Returns an archive that is made while it is sent, a part at a time. */
export function zipStream(entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array> {
  const parts = zipOf(entries);
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const part = await parts.next();
      if (part.done) return controller.close();
      controller.enqueue(part.value);
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });
}

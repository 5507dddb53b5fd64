/** It checks no permissions: callers do that first. */
export type Files = {
  put: (key: string, bytes: ArrayBuffer | Uint8Array) => Promise<void>;
  /** The stream must know its length, as a `FixedLengthStream` does. It is not held. */
  putStream: (key: string, bytes: ReadableStream<Uint8Array>) => Promise<void>;
  /** `begun`: goes on with what another invocation has begun. */
  putParts: (key: string, begun?: BegunParts) => Promise<FileParts>;
  head: (key: string) => Promise<{ size: number; etag: string } | null>;
  get: (key: string) => Promise<ReadableStream<Uint8Array> | null>;
  getRange: (key: string, range: { offset: number; length: number }) => Promise<ReadableStream<Uint8Array> | null>;
  delete: (keys: string[]) => Promise<void>;
  /** In the order of their keys, after a key. Fewer than the limit need not be all. */
  list: (prefix: string, after: string, limit: number) => Promise<{ found: ListedFile[]; hasMore: boolean }>;
  listOlderThan: (
    prefix: string,
    before: number,
    cursor: string | undefined,
    after?: string,
  ) => Promise<{ keys: string[]; cursor?: string }>;
};

/** `etag`: another one when what is stored under the key is another thing. */
export type ListedFile = { key: string; size: number; etag: string };

export type BegunParts = { uploadId: string; parts: { partNumber: number; etag: string }[] };

/** Until it is complete there is no such file. The bytes of a part may be used again once it is stored. */
export type FileParts = {
  begun: BegunParts;
  add: (bytes: Uint8Array) => Promise<void>;
  complete: () => Promise<void>;
  abort: () => Promise<void>;
};

export function r2Files(bucket: R2Bucket): Files {
  return {
    put: async (key, bytes) => {
      await bucket.put(key, bytes);
    },
    putStream: async (key, bytes) => {
      await bucket.put(key, bytes);
    },
    putParts: async (key, begun) => {
      const upload = begun
        ? bucket.resumeMultipartUpload(key, begun.uploadId)
        : await bucket.createMultipartUpload(key);
      const parts: R2UploadedPart[] = [...(begun?.parts ?? [])];
      return {
        begun: { uploadId: upload.uploadId, parts },
        add: async (bytes) => {
          const { partNumber, etag } = await upload.uploadPart(parts.length + 1, bytes);
          parts.push({ partNumber, etag });
        },
        complete: async () => {
          await upload.complete(parts);
        },
        abort: () => upload.abort(),
      };
    },
    head: (key) => bucket.head(key),
    get: async (key) => (await bucket.get(key))?.body ?? null,
    getRange: async (key, range) => (await bucket.get(key, { range }))?.body ?? null,
    delete: async (keys) => bucket.delete(keys),
    list: async (prefix, after, limit) => {
      const { objects, truncated } = await bucket.list({ prefix, startAfter: after || undefined, limit });
      return { found: objects.map(({ key, size, etag }) => ({ key, size, etag })), hasMore: truncated };
    },
    listOlderThan: async (prefix, before, cursor, after) => {
      const page = await bucket.list({ prefix, limit: 500, cursor, startAfter: cursor ? undefined : after });
      const keys = page.objects.filter((object) => object.uploaded.getTime() < before).map((object) => object.key);
      return page.truncated ? { keys, cursor: page.cursor } : { keys };
    },
  };
}

export type SentFile = {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  content: ReadableStream<Uint8Array> | string;
};

/** All of a file, or the one range of it that is asked for, so that a broken download goes on. Null: there is none. */
export async function sendStored(
  files: Pick<Files, "head" | "get" | "getRange">,
  key: string,
  asked: Headers,
): Promise<SentFile | null> {
  const found = await files.head(key);
  if (!found) return null;
  const { size } = found;
  const etag = `"${found.etag}"`;
  const own = { "Accept-Ranges": "bytes", ETag: etag };
  const range = rangeIn(asked, { size, etag });
  if (range && range.length <= 0) {
    // Not empty: of an error without words an error page would be made.
    return {
      status: 416,
      headers: { ...own, "Content-Range": `bytes */${size}` },
      content: "The file ends before that.\n",
    };
  }
  const content = range ? await files.getRange(key, range) : await files.get(key);
  if (!content) return null;
  if (!range) return { status: 200, headers: { ...own, "Content-Length": String(size) }, content };
  const { offset, length } = range;
  const place = `bytes ${offset}-${offset + length - 1}/${size}`;
  return { status: 206, headers: { ...own, "Content-Range": place, "Content-Length": String(length) }, content };
}

/** Null: all of it, as for several ranges, for one that is none, and for that of a file that is another one now. */
function rangeIn(asked: Headers, { size, etag }: { size: number; etag: string }) {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(asked.get("Range") ?? "") ?? [];
  if (first + last === "" || (asked.get("If-Range") ?? etag) !== etag) return null;
  if (first === "") return { offset: Math.max(0, size - Number(last)), length: Math.min(size, Number(last)) };
  if (last !== "" && Number(last) < Number(first)) return null;
  const end = last === "" ? size : Math.min(size, Number(last) + 1);
  return { offset: Number(first), length: end - Number(first) };
}

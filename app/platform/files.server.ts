/** Stores private files. It checks no permissions: callers do that first. */
export type Files = {
  put: (key: string, bytes: ArrayBuffer | Uint8Array, metadata: Record<string, string>) => Promise<void>;
  get: (key: string) => Promise<ReadableStream | null>;
  delete: (keys: string[]) => Promise<void>;
  /** Lists one page of keys with a prefix that were stored before `before`. No cursor in the result: last page. */
  listOlderThan: (
    prefix: string,
    before: number,
    cursor: string | undefined,
  ) => Promise<{ keys: string[]; cursor?: string }>;
};

export function r2Files(bucket: R2Bucket): Files {
  return {
    put: async (key, bytes, metadata) => {
      await bucket.put(key, bytes, { customMetadata: metadata });
    },
    get: async (key) => (await bucket.get(key))?.body ?? null,
    delete: async (keys) => bucket.delete(keys),
    listOlderThan: async (prefix, before, cursor) => {
      const page = await bucket.list({ prefix, limit: 500, cursor });
      const keys = page.objects.filter((object) => object.uploaded.getTime() < before).map((object) => object.key);
      return page.truncated ? { keys, cursor: page.cursor } : { keys };
    },
  };
}

/** Returns headers for the download of an unscanned file: browsers save it and never show or run it. */
export function downloadHeaders(name: string, size: number): Record<string, string> {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return {
    "Content-Type": "application/octet-stream",
    "Content-Length": String(size),
    "Content-Disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-store",
  };
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ticketUpload } from "~/features/attachments/receive-files.server";
import type { Ctx } from "~/platform/context.server";
import type { Files } from "~/platform/files.server";
import { readMultipart } from "~/platform/read-multipart.server";

const MIB = 1024 * 1024;
const UPLOADS = 3;
const SIZE = 10 * MIB;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Returns the bytes of buffers and files that are held now. */
function heldNow(): number {
  // What the first round has found is given back while the second begins.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().external;
}

/** Waits until each of the uploads has come here, and then measures what all of them hold together. */
function meetingPoint(baseline: number) {
  const peaks: number[] = [];
  let waiting: (() => void)[] = [];
  return {
    peaks,
    arrive: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length < UPLOADS) return;
        peaks.push(heldNow() - baseline);
        for (const go of waiting) go();
        waiting = [];
      }),
  };
}

/** Builds a post with one file of ten mebibytes, which is made as it is read. */
function post(): Request {
  const encoder = new TextEncoder();
  const chunks = (function* () {
    yield encoder.encode(
      '--x\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7',
    );
    for (let sent = 8; sent < SIZE; sent += 64_000) yield new Uint8Array(Math.min(64_000, SIZE - sent)).fill(97);
    yield encoder.encode("\r\n--x--\r\n");
  })();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  return new Request("https://site.example/x", { method: "POST", headers, body, duplex: "half" } as RequestInit);
}

test("three files of 10 MiB that arrive at once never hold 20 MiB, wherever they are", async () => {
  const { peaks, arrive } = meetingPoint(heldNow());
  const files = {
    put: arrive,
    putParts: async () => ({ add: arrive, complete: arrive, abort: arrive }),
  } as unknown as Files;
  const rules = ticketUpload({ files } as Ctx, []);
  const results = await Promise.all(
    Array.from({ length: UPLOADS }, () =>
      readMultipart(post(), { ...rules, decide: async () => ({ accepted: true }) }),
    ),
  );
  expect(results.map(({ upload }) => upload?.stored.map(({ error }) => error))).toEqual([[null], [null], [null]]);
  expect(peaks.length).toBeGreaterThan(0);
  expect(Math.max(...peaks) / MIB).toBeLessThan(20);
});

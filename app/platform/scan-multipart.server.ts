import { Buffer } from "node:buffer";

/** Takes the content of one part, in pieces of any size, and its end. */
export type PartSink = { write: (bytes: Uint8Array) => void; end: () => void };

const LINE = Buffer.from("\r\n");
const END_OF_HEADERS = Buffer.from("\r\n\r\n");
const DASHES = Buffer.from("--");

type State = "start" | "after delimiter" | "headers" | "content" | "end";

/** Limits the headers of one part, in bytes. */
const MAX_HEADERS = 8 * 1024;

/**
 * Splits a multipart body (RFC 2046, 5.1.1) into its parts while it arrives, in chunks of any size. `onPart` gets the
 * headers of a part before any of its content. Of the content only as much is held as may be the beginning of the next
 * delimiter. `write` throws for what is not multipart; `isComplete` tells whether the last delimiter was read.
 */
export function scanMultipart(boundary: string, onPart: (headers: string) => PartSink) {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  let state: State = "start";
  let sink: PartSink | null = null;
  // The first delimiter has no line break before it.
  let rest = LINE;

  function advance(length: number, next: State): true {
    rest = rest.subarray(length);
    state = next;
    return true;
  }

  /** Holds, by state, what takes one step from the beginning of `rest`. False: it needs more of the body. */
  const steps: Record<State, () => boolean> = {
    start() {
      if (rest.length < delimiter.length) return false;
      if (!rest.subarray(0, delimiter.length).equals(delimiter)) throw new Error("No delimiter at the beginning");
      return advance(delimiter.length, "after delimiter");
    },
    "after delimiter"() {
      if (rest.length < 2) return false;
      const next = rest.subarray(0, 2);
      if (next.equals(DASHES)) return advance(2, "end");
      if (!next.equals(LINE)) throw new Error("Text behind a delimiter");
      return advance(2, "headers");
    },
    headers() {
      const length = rest.indexOf(END_OF_HEADERS);
      if (Math.max(length, length < 0 ? rest.length : 0) > MAX_HEADERS) throw new Error("Headers are too long");
      if (length < 0) return false;
      sink = onPart(rest.toString("utf8", 0, length));
      return advance(length + END_OF_HEADERS.length, "content");
    },
    content() {
      const found = rest.indexOf(delimiter);
      // The last bytes may be the beginning of a delimiter.
      const length = found < 0 ? Math.max(0, rest.length - delimiter.length + 1) : found;
      if (length > 0) sink?.write(rest.subarray(0, length));
      rest = rest.subarray(length);
      if (found < 0) return false;
      sink?.end();
      return advance(delimiter.length, "after delimiter");
    },
    /** Ignores what follows the last delimiter: it means nothing. */
    end() {
      rest = rest.subarray(rest.length);
      return false;
    },
  };

  return {
    write(chunk: Uint8Array): void {
      rest = Buffer.concat([rest, chunk]);
      while (steps[state]());
    },
    isComplete: () => state === "end",
  };
}

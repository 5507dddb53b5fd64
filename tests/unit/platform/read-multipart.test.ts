import { describe, expect, test } from "vitest";
import { readForm } from "~/platform/read-form.server";
import {
  type FileReceiver,
  readMultipart,
  type UploadDecision,
  type UploadRules,
} from "~/platform/read-multipart.server";

const KIB = 1024;

type Body = { chunks: Iterable<Uint8Array>; boundary?: string };

/** Builds a post whose body arrives in these chunks, and counts the ones that were read. */
function post({ chunks, boundary = "x" }: Body) {
  const iterator = chunks[Symbol.iterator]();
  const read = { chunks: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = iterator.next();
        if (done) return controller.close();
        read.chunks += 1;
        controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const init = { method: "POST", headers, body, duplex: "half" };
  return { request: new Request("https://site.example/contact", init as RequestInit), read };
}

const encode = (text: string) => new TextEncoder().encode(text);
const inChunks = (text: string, size: number) => {
  const bytes = encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
};

const field = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = (fileName: string, name = "file") =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: application/pdf\r\n\r\n`;
const END = "--x--\r\n";

const accept = async (): Promise<UploadDecision> => ({ accepted: true });
const reject = async (): Promise<UploadDecision> => ({ accepted: false, reason: "token" });
const rules: UploadRules = { maxFileSize: 100, decide: accept };

const readText = (text: string, options: Partial<UploadRules> = {}, size = 7) =>
  readMultipart(post({ chunks: inChunks(text, size) }).request, { ...rules, ...options });

test.each([
  ["a body without an end", field("a", "b")],
  ["a body that ends in a header", "--x\r\nContent-Disposition: form-da"],
  ["a body without the boundary", "a=b"],
  ["text before the first part", `hello\r\n${field("a", "b")}${END}`],
  ["text behind a boundary", `--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n${END}`],
  ["an empty body", ""],
  ["a field without a name", `--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n${END}`],
  ["a part without headers", `--x\r\n\r\nb\r\n${END}`],
  ["a part that is no form data", `--x\r\nContent-Disposition: attachment; name="a"\r\n\r\nb\r\n${END}`],
  ["a header of twenty kibibytes", `--x\r\nX: ${"y".repeat(20 * KIB)}\r\n\r\nb\r\n${END}`],
  ["a second file", `${fileHead("a.pdf")}1\r\n${fileHead("b.pdf", "other")}2\r\n${END}`],
  ["a hundred and one fields", field("a", "b").repeat(101) + END],
  ["too much text in one field", field("a", "b".repeat(321 * KIB)) + END],
  ["too much text in all fields together", field("a", "b".repeat(81 * KIB)).repeat(4) + END],
])("%s is not read as a form", async (_, text) => {
  await expect(readText(text, {}, 4_096)).rejects.toThrow();
});

test.each([
  1, 2, 13, 4_096,
])("fields and a file are the same, however the body arrives: in chunks of %d", async (size) => {
  const text = `${field("token", "t")}${fileHead("Plan – März.pdf")}\r\n--y\r\n%PDF\r\n${field("message", "Zoë\r\nsays")}${END}`;
  const { entries, upload } = await readText(text, {}, size);
  const [token, message, file] = entries;
  expect([token, message]).toEqual([
    ["token", "t"],
    ["message", "Zoë\r\nsays"],
  ]);
  expect(file?.[1]).toBeInstanceOf(File);
  expect((file?.[1] as File).name).toBe("Plan – März.pdf");
  expect(await (file?.[1] as File).text()).toBe("\r\n--y\r\n%PDF");
  expect(upload).toEqual({ decision: { accepted: true }, isTooLarge: false, stored: [] });
});

test("quotes in a file's name are read as browsers write them", async () => {
  const { entries } = await readText(`${fileHead("our %22plan%22.pdf")}1\r\n${END}`);
  expect((entries[0]?.[1] as File).name).toBe('our "plan".pdf');
});

test("a control in which no file was chosen is no file, and nothing has to be decided", async () => {
  const decide = () => Promise.reject(new Error("Nobody asked"));
  expect(await readText(`${field("a", "b")}${fileHead("")}\r\n${END}`, { decide })).toEqual({
    entries: [["a", "b"]],
    upload: null,
  });
});

test("only what stands before the file counts for the decision", async () => {
  const seen: Record<string, string>[] = [];
  const decide = (before: Record<string, string>) => {
    seen.push(before);
    return reject();
  };
  const text = `${field("a", "1")}${fileHead("a.pdf")}${"y".repeat(50)}\r\n${field("form_token", "t")}${END}`;
  // The whole body in one chunk: what follows the file has been received when the decision is made.
  for (const size of [3, 4_096]) await readText(text, { decide }, size);
  expect(seen).toEqual([{ a: "1" }, { a: "1" }]);
});

test("no more of the body is read while the decision is made", async () => {
  const text = `${field("a", "1")}${fileHead("a.pdf")}${"y".repeat(90)}\r\n${END}`;
  const { request, read } = post({ chunks: inChunks(text, 20) });
  let readAtDecision = 0;
  let readLater = 0;
  const decide = async () => {
    readAtDecision = read.chunks;
    await new Promise((resolve) => setTimeout(resolve, 0));
    readLater = read.chunks;
    return accept();
  };
  await readMultipart(request, { ...rules, decide });
  expect(readLater).toBe(readAtDecision);
  expect(readAtDecision).toBeLessThan(read.chunks);
});

test("a file that is not accepted is read past: what was typed after it is there, and of the file nothing", async () => {
  const text = `${field("a", "1")}${fileHead("a.pdf")}${"y".repeat(90)}\r\n${field("b", "2")}${END}`;
  const { entries, upload } = await readText(text, { decide: reject });
  expect(entries).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
  expect(upload).toEqual({ decision: { accepted: false, reason: "token" }, isTooLarge: false, stored: [] });
});

test.each([
  [100, false],
  [101, true],
])("of a file of %d bytes, with 100 allowed: too large is %s", async (size, isTooLarge) => {
  const text = `${fileHead("a.pdf")}${"y".repeat(size)}\r\n${field("b", "2")}${END}`;
  const { entries, upload } = await readText(text);
  expect(upload?.isTooLarge).toBe(isTooLarge);
  expect(entries.filter(([, value]) => value instanceof File)).toHaveLength(isTooLarge ? 0 : 1);
  expect(entries[0]).toEqual(["b", "2"]);
});

/** Receives a file into a list of contents, from which it is taken again when it is let go of. */
function receiver(fileName: string, contents: string[]): FileReceiver {
  let text = "";
  return {
    write: async (bytes) => {
      text += new TextDecoder("latin1").decode(bytes);
    },
    end: async () => {
      contents.push(text);
      return { fileName, error: null, key: fileName, kind: "txt", size: text.length, sha256: "" };
    },
    abort: async () => {
      contents.splice(0, contents.length, ...contents.filter((content) => content !== text));
    },
  };
}

describe("a form that takes several files", () => {
  const file = (name: string, content: string) => `${fileHead(name, "files")}${content}\r\n`;

  /** Reads a form and records which files were stored. */
  async function readSeveral(text: string, size: number, options: Partial<UploadRules> = {}) {
    const contents: string[] = [];
    const receive = (fileName: string) => receiver(fileName, contents);
    const read = await readText(text, { stored: { maxFiles: 2, receive }, ...options }, size);
    return { ...read, contents };
  }

  const results = ({ upload }: Awaited<ReturnType<typeof readSeveral>>) =>
    upload?.stored.map(({ fileName, error }) => [fileName, error]);

  test.each([1, 40, 4_096])("stores each of them with its own content, in chunks of %d", async (size) => {
    const text = `${field("token", "t")}${file("a.txt", "one")}${file("b.txt", "two")}${field("body", "typed")}${END}`;
    const read = await readSeveral(text, size);
    expect(read.contents).toEqual(["one", "two"]);
    expect(read.entries).toEqual([
      ["token", "t"],
      ["body", "typed"],
    ]);
  });

  test.each([
    7, 4_096,
  ])("says which is too large and which one too many, and keeps the fields, in chunks of %d", async (size) => {
    const text = `${file("a.txt", "y".repeat(101))}${file("b.txt", "two")}${file("c.txt", "three")}${field("body", "typed")}${END}`;
    const read = await readSeveral(text, size);
    expect(results(read)).toEqual([
      ["a.txt", "too_large"],
      ["b.txt", null],
      ["c.txt", "too_many"],
    ]);
    expect(read.contents).toEqual(["two"]);
    expect(read.entries).toEqual([["body", "typed"]]);
  });

  test.each([7, 4_096])("stores none of them without the token before the first, in chunks of %d", async (size) => {
    const seen: Record<string, string>[] = [];
    const decide = (before: Record<string, string>) => {
      seen.push(before);
      return reject();
    };
    const text = `${field("a", "1")}${file("a.txt", "one")}${field("token", "t")}${file("b.txt", "two")}${END}`;
    const read = await readSeveral(text, size, { decide });
    expect([read.contents, results(read)]).toEqual([[], []]);
    expect(seen).toEqual([{ a: "1" }]);
  });
});

test.each([
  ["that has no end", field("a", "b")],
  ["with too much text behind it", field("body", "b".repeat(321 * KIB)) + END],
])("of a form %s no file stays stored, neither one that has ended nor one that has begun", async (_, rest) => {
  const contents: string[] = [];
  const receive = (fileName: string) => receiver(fileName, contents);
  const text = `${fileHead("a.txt")}one\r\n${fileHead("b.txt")}two\r\n${rest}`;
  await expect(readText(text, { stored: { maxFiles: 2, receive } }, 4_096)).rejects.toThrow();
  expect(contents).toEqual([]);
});

test("a store or a database that is away is no unreadable form, and a broken body is one", async () => {
  const form = (text: string, upload: Partial<UploadRules>) =>
    readForm(post({ chunks: [encode(text)] }).request, { upload: { ...rules, ...upload } });
  const text = `${fileHead("a.pdf")}pdf\r\n${END}`;
  const away = new Error("put: We encountered an internal error. Please try again. (10001)");
  for (const broken of ["write", "end"]) {
    const receive = (name: string) => ({ ...receiver(name, []), [broken]: () => Promise.reject(away) });
    await expect(form(text, { stored: { maxFiles: 5, receive } })).rejects.toBe(away);
  }
  await expect(form(text, { decide: () => Promise.reject(away) })).rejects.toBe(away);
  await expect(form(text.slice(0, -4), {})).rejects.toMatchObject({ status: 400 });
});

import { describe, expect, test } from "vitest";
import { OUR_FORM, rawClientOfBuiltWorker } from "../support/raw-http";

const { send, signedIn, getLogs, clearLogs } = rawClientOfBuiltWorker();

describe("bodies of the wrong kind", () => {
  const PAGES = ["/contact", "/auth", "/theme", "/profile", "/profile/unsent", "/admin/submissions"];
  const TYPE = "multipart/form-data; boundary=x";
  const BODIES: [string, number, string, string][] = [
    ["multipart without a boundary", 415, "multipart/form-data", "a=b"],
    ["multipart with an empty boundary", 415, "multipart/form-data; boundary=", "--\r\n"],
    ["multipart that is something else", 400, TYPE, "not multipart"],
    [
      "multipart that ends in the middle of a part",
      400,
      TYPE,
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
    ],
    ["multipart with a part without a name", 400, TYPE, "--x\r\n\r\nb\r\n--x--\r\n"],
    ["an empty multipart", 400, TYPE, ""],
  ];

  /** Returns the status with which a page says that it needs a session, or another role, before it reads a form. */
  function deniedTo(who: string, path: string) {
    if (who === "nobody") return /^\/(profile|admin)/.test(path) ? 401 : null;
    return who === "user" && path.startsWith("/admin") ? 403 : null;
  }

  test.each(BODIES)("%s is answered with %d on every page with a form", async (_, expected, type, body) => {
    const visitors = { nobody: {}, user: await signedIn("user"), admin: await signedIn("admin") };
    for (const path of PAGES) {
      for (const [who, session] of Object.entries(visitors)) {
        const headers = { ...OUR_FORM, ...session, "content-type": type };
        const { status, body: page } = await send(path, { method: "POST", headers, body });
        const denied = expected === 415 ? null : deniedTo(who, path);
        expect(status, `${path}, ${who}`).toBe(denied ?? expected);
        expect(page).toContain("</html>");
      }
    }
  });
});

describe("addresses with bytes that mean something elsewhere", () => {
  const BYTES = ["%0d%0aSet-Cookie:%20a=b", "%09", "%00", "%7f", "%c2%85", "%1b[2J", "%ff", "%e0%a4", "%"];

  test.each(
    BYTES,
  )("an id with %s gets 404 or a sign-in page, and no raw byte of it gets into a header", async (bytes) => {
    const staff = await signedIn("admin");
    const { cookie } = staff;
    const token = await listToken(cookie);
    for (const path of [
      `/admin/submissions/sub_1${bytes}`,
      `/admin/submissions/sub_1${bytes}/notes/note_1${bytes}/delete`,
      `/admin/attachments/att_1${bytes}`,
      `/services/${bytes}`,
      `/${bytes}`,
    ]) {
      for (const headers of [{}, staff]) {
        const page = await send(path, { headers });
        expect([404, 302], path).toContain(page.status);
        expect(page.headers["set-cookie"] ?? []).not.toContain("a=b");
      }
      const form = { form_token: token, intent: "status", status: "contacted" };
      const headers = { ...OUR_FORM, ...staff };
      const posted = await send(path, { method: "POST", headers, body: new URLSearchParams(form).toString() });
      expect([404, 405], path).toContain(posted.status);
      expect(posted.headers.location).toBeUndefined();
    }
  });

  test.each([
    "sub_../../x",
    "sub_%20",
    "SUB_1",
    "note_1",
    `sub_${"a".repeat(41)}`,
    "sub_é",
  ])("%s is not the id of a submission, and nobody looks for it", async (id) => {
    const { cookie } = await signedIn("admin");
    expect((await send(encodeURI(`/admin/submissions/${id}`), { headers: { cookie } })).status).toBe(404);
  });

  test("what a query says leaves encoded, wherever it is repeated", async () => {
    const target = encodeURIComponent("/admin/submissions?q=a\r\nSet-Cookie: b=c");
    const { headers } = await send(`/admin/submissions?q=%0d%0aSet-Cookie:%20b=c&x=${target}`);
    expect(headers.location).toMatch(/^\/auth\?redirectTo=[\x21-\x7e]+$/);
    expect(headers["set-cookie"]).toBeUndefined();
  });
});

test("every line in the log is one object of our logger, and none has the bytes of an address", async () => {
  clearLogs();
  for (const path of [
    "/private%ffaddress",
    "/a//privateaddress",
    "/services/%E0%A4%Aprivateaddress",
    "/%c2%85private",
  ]) {
    await send(path);
    await send(`${path}?_data=routes%2F_site.%24`);
  }
  await expect.poll(() => getLogs().length).toBeGreaterThanOrEqual(8);
  for (const { message } of getLogs()) {
    expect(JSON.parse(message)).toMatchObject({ level: expect.any(String), event: expect.any(String) });
    expect(message).not.toContain("private");
  }
});

/** Returns a form token of a session, from the list. */
async function listToken(cookie: string): Promise<string> {
  const { body } = await send("/admin/submissions", { headers: { cookie } });
  return /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
}

describe("files that nobody has accepted", () => {
  const MIB = 1024 * 1024;
  const head = `--x\r\nContent-Disposition: form-data; name="message"\r\n\r\nEleven laptops\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`;
  const megabytes = (count: number) => [
    Buffer.from(head),
    ...Array.from({ length: count }, () => new Uint8Array(MIB)),
    Buffer.from("\r\n--x--\r\n"),
  ];
  const type = { "content-type": "multipart/form-data; boundary=x" };
  const postFile = (count: number) =>
    send("/contact", {
      method: "POST",
      headers: { ...OUR_FORM, ...type, "transfer-encoding": "chunked" },
      body: megabytes(count),
    });

  test("the form's token stands before its file", async () => {
    const form = (await send("/contact")).body.split('id="contact-form"')[1] ?? "";
    expect(form.indexOf('name="form_token"')).toBeGreaterThan(0);
    expect(form.indexOf('name="form_token"')).toBeLessThan(form.indexOf('type="file"'));
  });

  test("the contact form comes back with what was typed, however large the file was that came without a token", async () => {
    for (const size of [1, 6, 20]) {
      const { status, body } = await postFile(size);
      expect(status).toBe(400);
      expect(body).toContain("Eleven laptops");
    }
  });

  test("a body far over the limit is rejected before it is read", async () => {
    const headers = { ...OUR_FORM, ...type, "content-length": String(60 * MIB) };
    expect((await send("/contact", { method: "POST", headers })).status).toBe(413);
  });
});

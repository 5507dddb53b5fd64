import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { layoutLoader, pageLoader } from "~/live/page-refresh";

const location = { pathname: "", search: "" };

beforeEach(() => {
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("location", location);
});
afterEach(() => vi.unstubAllGlobals());

type Loader = typeof pageLoader;

/** Reads an address with what the server answers; null: it does not. */
const read = (loader: Loader, path: string, data: object | null) =>
  loader({
    request: new Request(`https://wrenfield.example${path}`),
    serverLoader: async () => {
      if (data === null) throw new Response(null, { status: 503 });
      return data;
    },
  } as unknown as ClientLoaderFunctionArgs);

test("a frame that cannot be read again stays as it was, and is never that of the other area", async () => {
  const portal = { organization: "Brightsmile Dental" };
  await read(layoutLoader, "/client/tickets", portal);
  await expect(read(layoutLoader, "/admin", null)).rejects.toMatchObject({ status: 503 });
  await read(layoutLoader, "/admin", { items: [] });
  expect(await read(layoutLoader, "/admin/tickets", null)).toEqual({ items: [] });
  expect(await read(layoutLoader, "/create-ticket", null)).toBe(portal);
});

test("a page that is opened and cannot be read is an error, and one on the screen stays as it was", async () => {
  Object.assign(location, { pathname: "/admin/tickets", search: "?due=late" });
  const late = { tickets: ["T-1"] };
  await read(pageLoader, "/admin/tickets?due=late", late);
  expect(await read(pageLoader, "/admin/tickets?due=late", null)).toBe(late);
  await expect(read(pageLoader, "/admin/tickets", null)).rejects.toMatchObject({ status: 503 });
});

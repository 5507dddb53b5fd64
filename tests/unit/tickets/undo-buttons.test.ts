import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, test } from "vitest";
import { SentBefore, SentReply, UndoForm } from "~/features/conversation/undo";

test("of two replies that can be taken back on one page, each button sends the form of its own", () => {
  const here = { id: "msg_here", left: 9_000, until: "14:05:30" };
  const before = { ...here, id: "msg_before" };
  const element = createElement(
    Fragment,
    null,
    createElement(SentBefore, { sent: { reference: "T-1", path: "/admin/tickets/T-1", undoable: before }, token: "t" }),
    createElement(SentReply, { undoable: here }),
    createElement(UndoForm, { undoable: here, path: "/admin/tickets/T-2", token: "t" }),
  );
  const page = renderToStaticMarkup(
    createElement(RouterProvider, { router: createMemoryRouter([{ path: "/", element }]) }),
  );
  const buttons = [...page.matchAll(/<button[^>]*form="([^"]+)"/g)].map(([, form]) => form);
  const messageOf = (form?: string) =>
    new RegExp(`<form[^>]*id="${form}".*?name="message" value="([^"]+)"`).exec(page)?.[1];
  expect(buttons.map(messageOf)).toEqual([before.id, here.id]);
});

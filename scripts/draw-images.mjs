/*
 * Draws the pictures and icons of the public site from the brand in app/content. After a change of
 * this brand: `node scripts/draw-images.mjs`, and commit what it writes.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { findBrowser } from "./lib/find-browser.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { inRoot } from "./lib/toolchain.mjs";

await onProjectNode(import.meta.url);
const { chromium } = await import("@playwright/test");
const { brand } = await import("~/content/brand");
const { dayDocket, hero } = await import("~/content/home");

const font = readFileSync(
  inRoot("node_modules/@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2"),
).toString("base64");

const STYLE = `
  @font-face { font-family: Schibsted; font-weight: 400 900; src: url(data:font/woff2;base64,${font}); }
  * { box-sizing: border-box; margin: 0; }
  body { background: #f1f6f7; color: #041a21; font: 400 28px/1.35 Schibsted; overflow: hidden; }
  svg { display: block; fill: none; }
  .first { stroke: #041a21; } .second { stroke: #0f5a66; }`;

const mark = (strokeWidth, viewBox) =>
  `<svg viewBox="${viewBox}" stroke-width="${strokeWidth}"><path class="first" d="M2.5 9 8 19.5 16 5"/><path class="second" d="M15.2 12.5 19 19.5 31.5 2"/></svg>`;

/** Returns a square with the mark; `room` is the free space around it, in units of the drawing. */
const icon = (room) => `
  <style>svg { width: 100vw; height: 100vh; }</style>
  ${mark(5, `${-room} ${-room - 5} ${34 + 2 * room} ${34 + 2 * room}`)}`;

const ticks = (isChecked) =>
  `<svg class="ticks" viewBox="0 0 24 24" stroke-width="2.2">${
    isChecked
      ? '<path class="second" d="M18 6 7 17l-5-5"/><path class="second" d="m22 10-7.5 7.5L13 16"/>'
      : '<path class="second" d="M20 6 9 17l-5-5"/>'
  }</svg>`;

/** Holds the preview that a link shows when it is shared: the headline beside the first lines of the day's card. */
const preview = `
  <style>
    main { display: grid; grid-template-columns: 590px 470px; gap: 36px; padding: 60px 0 0 60px; }
    .brand { display: flex; align-items: center; gap: 18px; font: 700 34px/1 Schibsted; letter-spacing: -.02em; }
    .brand svg { width: 58px; height: 41px; }
    h1 { margin-top: 84px; font: 700 70px/1 Schibsted; letter-spacing: -.032em; text-wrap: balance; }
    .marked { background: #f7ed99; padding: 0 .08em; }
    .card { position: relative; height: 640px; padding-top: 70px; border: 2px solid #c3cdcf;
      border-radius: 10px; background: #fff; box-shadow: 18px 18px 0 -2px #faf6c8, 18px 18px 0 0 #ecc83b; }
    .card::before { content: ""; position: absolute; inset: 22px 0 auto; height: 30px;
      --hole: radial-gradient(circle closest-side, #f1f6f7 86%, #c3cdcf 90% 98%, #0000);
      background: var(--hole) calc(50% - 70px) 0 / 30px 30px no-repeat, var(--hole) calc(50% + 70px) 0 / 30px 30px no-repeat; }
    h2 { padding: 0 28px; font: 700 30px/1.2 Schibsted; }
    .card > p { padding: 4px 28px 16px; border-bottom: 4px solid #041a21; color: #58666a; font-size: 20px; }
    li { display: grid; grid-template-columns: 70px 1fr 32px; gap: 10px; padding: 14px 28px; border-bottom: 2px solid #d9e1e3; font-size: 22px; }
    ol { padding: 0; list-style: none; } time { font-weight: 600; color: #3e4d51; } .ticks { width: 32px; height: 32px; }
  </style>
  <main>
    <div><p class="brand">${mark(4.6, "0 0 34 24")}${brand.name}</p>
      <h1>${hero.people} ${hero.computers.text} <span class="marked">${hero.computers.marked}</span></h1></div>
    <div class="card"><h2>${dayDocket.title}</h2><p>${dayDocket.disclaimer}</p><ol>${dayDocket.entries
      .map(({ time, text, isChecked }) => `<li><time>${time}</time><span>${text}</span>${ticks(isChecked)}</li>`)
      .join("")}</ol></div>
  </main>`;

const PICTURES = [
  { file: "preview.png", width: 1200, height: 630, html: preview },
  { file: "apple-touch-icon.png", width: 180, height: 180, html: icon(7) },
  { file: "icon-192.png", width: 192, height: 192, html: icon(8) },
  { file: "icon-512.png", width: 512, height: 512, html: icon(8) },
];

const { executablePath, env } = await findBrowser();
const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ["--no-sandbox"] });
mkdirSync(inRoot("public", "images"), { recursive: true });
for (const { file, width, height, html } of PICTURES) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<!doctype html><style>${STYLE}</style>${html}`);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: inRoot("public", "images", file) });
}
await browser.close();

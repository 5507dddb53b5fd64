import {
  isRouteErrorResponse,
  useFetchers,
  useLocation,
  useMatches,
  useNavigation,
  useRouteError,
} from "@remix-run/react";
import { type HTMLAttributes, type ReactNode, useEffect, useRef, useState } from "react";
import { routeErrorText } from "~/lib/error-texts";
import type { FlashMessage } from "~/lib/form";
import { Button, LinkButton } from "./button";
import { cx } from "./cx";
import { landing } from "./form";
import { CheckCheck, CircleAlert, Icon, Info, TriangleAlert } from "./icon";
import { Link } from "./link";

type PageProps = {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  breadcrumb?: ReactNode;
  isDense?: boolean;
  children: ReactNode;
};

export function Page({ title, description, actions, breadcrumb, isDense = false, children }: PageProps) {
  return (
    <>
      {breadcrumb}
      <div
        className={cx(
          "@max-narrow:clear-both flex min-h-9 flex-wrap items-center gap-x-6 gap-y-3 max-md:gap-x-4",
          isDense ? "mb-2" : "mb-[1.1rem]",
        )}
      >
        <div className="flex-auto">
          <h1>{title}</h1>
          {description ? <p className="mt-[0.3rem] text-ink-2">{description}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-3">{actions}</div> : null}
      </div>
      <div className={cx("clear-both grid grid-cols-[minmax(0,1fr)]", isDense ? "gap-3" : "gap-5")}>{children}</div>
    </>
  );
}

export function ContentArea({ as: Element = "div", ...rest }: HTMLAttributes<HTMLElement> & { as?: "div" | "main" }) {
  return (
    <Element
      className="@container min-w-0 border-line px-[clamp(1rem,2.4vw,2.25rem)] pt-[1.1rem] pb-12 md:border-l print:border-0"
      {...rest}
    />
  );
}

export function RecordLayout({ sidebar, children }: { sidebar: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-4 grid @max-wide:grid-cols-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_18.5rem] items-start gap-5 print:grid-cols-[minmax(0,1fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
      {sidebar}
    </div>
  );
}

export function QuietLine({ when, children }: { when: ReactNode; children: ReactNode }) {
  return (
    <p className="wrap-anywhere flex max-w-none flex-wrap gap-x-2 pl-4 text-ink-2 text-xs/[1.5]">
      <span className="text-ink-3">{when}</span>
      <span>{children}</span>
    </p>
  );
}

/** `header` is smaller in a narrow bar, and the mark alone in a tiny one. */
const SIZES = {
  md: { text: "gap-[0.7rem] text-[1.3125rem]/[1.1]", mark: "h-6 w-8.5" },
  header: {
    text: "gap-[0.7rem] text-[1.3125rem]/[1.1] bar-menu:gap-2 bar-menu:text-[1.125rem]/[1.1] bar-tight:gap-2 bar-tight:text-[1.125rem]/[1.1] bar-phone:gap-1.5 bar-phone:text-[0.9375rem]/[1.1]",
    mark: "h-6 w-8.5 bar-menu:w-7 bar-tight:w-7 bar-phone:w-6",
  },
  sm: { text: "gap-[0.7rem] text-[1.125rem]/[1.1]", mark: "h-5 w-7" },
} as const;

type LogoProps = { name: string; to: string; size?: keyof typeof SIZES; className?: string; tabIndex?: -1 };

/** The name stays in one line; one that has no room ends in dots. */
export function Logo({ name, to, size = "md", className, tabIndex }: LogoProps) {
  return (
    <Link
      className={cx(
        "inline-flex max-w-full items-center font-bold on-deep:text-on-deep text-ink tracking-[-0.02em] no-underline",
        SIZES[size].text,
        className,
      )}
      to={to}
      tabIndex={tabIndex}
      data-logo=""
    >
      <svg
        className={cx("flex-none fill-none", SIZES[size].mark)}
        viewBox="0 0 34 24"
        strokeWidth={4.6}
        aria-hidden="true"
      >
        <path className="on-deep:stroke-on-deep stroke-ink forced-colors:stroke-current!" d="M2.5 9 8 19.5 16 5" />
        <path
          className="on-deep:stroke-canary stroke-brand forced-colors:stroke-current!"
          d="M15.2 12.5 19 19.5 31.5 2"
        />
      </svg>
      <span className={cx("truncate py-[0.2em]", size === "header" && "bar-tiny:sr-only")}>{name}</span>
    </Link>
  );
}

/** React 18 has no property for these attributes; in lower case they pass through to the HTML. */

export const popover = (id: string) => ({ id, popover: "auto" });

export const popoverTarget = (id: string) => ({ popovertarget: id });

type MenuProps = {
  id: string;
  label: ReactNode;
  size?: "md" | "sm";
  children: ReactNode;
};

/** Not `role="menu"`: what it holds are links. */
export function Menu({ id, label, size, children }: MenuProps) {
  return (
    <>
      <Button variant="quiet" size={size} {...popoverTarget(id)}>
        {label}
      </Button>
      <div
        className="menu-panel [&_:is(a,button)]:menu-item [&>a:last-child,&>form:last-child_button]:border-0"
        {...popover(id)}
      >
        {children}
      </div>
    </>
  );
}

export function MenuHead({ children }: { children: ReactNode }) {
  return <p className="wrap-anywhere border-line border-b px-[0.9rem] pt-2 pb-[0.8rem]">{children}</p>;
}

/** Each layout has a `main` with the id "main" and tabindex -1. */
export function SkipLink({ to = "#main", label = "Skip to main content" }) {
  return (
    <a
      className="absolute top-2 left-2 z-9 bg-canary px-4 py-3 text-on-canary [translate:0_-200%] print:hidden focus:[translate:0_0]"
      href={to}
    >
      {label}
    </a>
  );
}

/** A section's pages mark the section; the home of the area marks only itself. */
export const isCurrentSection = (link: string, path: string, home: string): boolean =>
  link === path || (link !== home && path.startsWith(`${link}/`));

type Crumb = { label: string; to?: string };

type BreadcrumbProps = {
  items: readonly Crumb[];
  /** In the admin area it is as tall as the account button beside it; a narrow screen has no room for both. */
  dense?: boolean;
};

type RecordLineProps = { items: readonly Crumb[]; previous: string | null; next: string | null };

/** The way back to the list, and to the records before and after this one in it. */
export function RecordLine({ items, previous, next }: RecordLineProps) {
  return (
    <div className="@max-narrow:block flex flex-wrap items-center gap-x-4 [&>nav]:mb-0 [&_[aria-current]]:font-mono [&_[aria-current]]:text-[0.9em]">
      <Breadcrumb dense items={items} />
      <nav
        className="@max-narrow:clear-both ml-auto flex @max-narrow:justify-end gap-4 text-sm @max-narrow:*:py-2 print:hidden"
        aria-label="Records of the list"
      >
        {previous ? (
          <Link to={previous} aria-keyshortcuts="k">
            Previous
          </Link>
        ) : null}
        {next ? (
          <Link to={next} aria-keyshortcuts="j">
            Next
          </Link>
        ) : null}
      </nav>
    </div>
  );
}

/** The last entry is the page itself and no link. */
export function Breadcrumb({ items, dense = false }: BreadcrumbProps) {
  return (
    <nav
      className={cx("mb-2 text-ink-2 text-sm", dense && "flex min-h-9 items-center max-md:clear-right")}
      aria-label="Breadcrumb"
    >
      <ol className="flex flex-wrap [&>li+li]:before:px-[0.5em] [&>li+li]:before:content-['/'_/_''] [&_a]:py-[0.35rem] [&_a]:text-ink-2">
        {items.map(({ label, to }) => (
          <li key={label}>{to ? <Link to={to}>{label}</Link> : <span aria-current="page">{label}</span>}</li>
        ))}
      </ol>
    </nav>
  );
}

export type Flash = FlashMessage;

type MessageKind = Flash["kind"];

const KINDS: Record<MessageKind, { glyph: string; color: string; frame: string }> = {
  success: {
    glyph: CheckCheck,
    color: "text-success",
    frame: "border-success-line border-l-success bg-success-tint",
  },
  error: { glyph: CircleAlert, color: "text-danger", frame: "border-danger-line border-l-danger bg-danger-tint" },
  info: { glyph: Info, color: "text-brand", frame: "border-line-strong border-l-brand bg-brand-tint" },
  warning: {
    glyph: TriangleAlert,
    color: "text-warning",
    frame: "border-warning-line border-l-warning bg-warning-tint",
  },
};

export const RESULT_ID = "result";

/**
 * Always there: a live region that arrives with its text is not announced; a text of the first document is put in
 * again.
 */
export function FlashRegion({ flash, className }: { flash: Flash | null; className?: string }) {
  const [round, setRound] = useState(0);
  useEffect(() => setRound(1), []);
  const notice = flash ? <Notice key={round} className="mb-5" {...flash} /> : null;
  const failed = flash?.kind === "error";
  return (
    <div id={RESULT_ID} tabIndex={-1}>
      <div className={className} role="status">
        {failed ? null : notice}
      </div>
      <div className={className} role="alert">
        {failed ? notice : null}
      </div>
    </div>
  );
}

type NoticeProps = { kind: MessageKind; title?: ReactNode; message?: ReactNode; className?: string };

/** Not a live region by itself. */
export function Notice({ kind, title, message, className }: NoticeProps) {
  const { glyph, color, frame } = KINDS[kind];
  return (
    <div
      className={cx("flex items-start gap-3 rounded-2 border border-l-4 px-[1.1rem] py-[0.85rem]", frame, className)}
    >
      <Icon of={glyph} className={cx("mt-[0.2em]", color)} />
      <p className="wrap-anywhere min-w-0">
        {title ? <strong>{title}</strong> : null} {message}
      </p>
    </div>
  );
}

export const resultAttributes = { "data-result": "" } as const;

/** Delays the announcement of a slow page, in milliseconds; the progress bar has the same delay. */
const ANNOUNCE_DELAY_MS = 300;

/** As a browser does for documents: says that something is on its way, moves the focus to it, has it announced. */
export function PageAnnouncer() {
  const { key, pathname, search, hash } = useLocation();
  const isNavigating = useNavigation().state !== "idle";
  const [announcement, setAnnouncement] = useState({ key: "", text: "" });
  const last = useRef({ key, pathname, search });
  const isSending = useFetchers().length > 0;
  const wasSending = useRef(isSending);

  useEffect(() => {
    if (!isNavigating) return;
    const timer = setTimeout(() => setAnnouncement({ key: "", text: "Loading" }), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isNavigating]);
  useEffect(() => {
    const before = last.current;
    last.current = { key, pathname, search };
    if (before.key === key) return;
    const isOther = before.pathname !== pathname;
    const result = isOther ? null : document.querySelector("#main [data-result]");
    // A page that answers a form at its own address has its message announced.
    const isAnnounced = isOther || before.search !== search;
    setAnnouncement({ key, text: isAnnounced ? (result?.textContent ?? document.title) : "" });
    // A form keeps the scroll position, which belongs to the page that it was on.
    if (isOther && wasSending.current && !hash) scrollTo({ top: 0, behavior: "instant" });
    if (isOther) focusPage(hash);
    else focusPart(hash);
  }, [key, pathname, search, hash]);

  useEffect(() => {
    // What was pressed may be gone with what it did.
    if (wasSending.current && !isSending) focusPart(landing.hash);
    if (!isSending) landing.hash = "";
    wasSending.current = isSending;
  }, [isSending]);

  return (
    <>
      {isNavigating ? (
        <div
          className="fixed inset-x-0 top-0 z-7 h-[3px] origin-left animate-progress bg-brand motion-reduce:animate-progress-still"
          data-route-progress=""
          aria-hidden="true"
        />
      ) : null}
      <p className="sr-only" role="status">
        <span key={announcement.key}>{announcement.text}</span>
      </p>
    </>
  );
}

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

/** Unless something in the page has the focus, such as a summary of errors. */
function focusPage(hash: string) {
  // The menu of a phone, whose link was followed.
  document.querySelector<HTMLElement>(":popover-open")?.hidePopover();
  const main = document.getElementById("main");
  const part = hash ? document.getElementById(hash.slice(1)) : null;
  // The framework has scrolled to it.
  if (part?.matches("[tabindex]")) return part.focus({ preventScroll: true });
  if (main && (isFocusLost() || !main.contains(document.activeElement))) main.focus({ preventScroll: true });
}

/** If what had the focus is gone, it goes to the row that the address names, the list, or the main part. */
function focusPart(hash: string) {
  const part = hash ? document.getElementById(hash.slice(1)) : null;
  if (part?.matches("[tabindex]")) {
    // Whoever writes in it already stays there.
    if (part !== document.activeElement && part.contains(document.activeElement)) return;
    part.focus({ preventScroll: true });
    // The message of a form sticks where the page is (list.css), and would lead away from there.
    if (part.id === "result") return;
    // The line below a form says of a message that it was sent. It stays a while, and leads away from any other part.
    const said = part.matches("article") ? document.querySelectorAll("[data-sent]") : [];
    for (const seen of [part, ...said]) seen.scrollIntoView({ block: "nearest", behavior: "instant" });
    return;
  }
  if (!isFocusLost()) return;
  const list = document.querySelector<HTMLElement>("#main section[tabindex]:has(> table)");
  // In a row, what was just set comes before the link.
  const place = part?.querySelector<HTMLElement>("select") ?? part?.querySelector("a");
  (place ?? list ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

/**
 * Until the next navigation or form: what came with the document, then what a form has left in `landing`. What a page
 * reads again because of a colleague's change has no message, and takes none away.
 */
export function useLastingFlash(ofDocument: Flash | null): Flash | null {
  const { key } = useLocation();
  const fetchers = useFetchers();
  const isBusy = useNavigation().state !== "idle" || fetchers.some(({ state }) => state !== "idle");
  const isSending = fetchers.some(({ state }) => state === "submitting");
  const [shown, setShown] = useState({ key, flash: ofDocument });
  useEffect(() => {
    if (isBusy || !landing.flash) return;
    setShown({ key, flash: landing.flash });
    landing.flash = null;
  });
  if (!isSending && key === shown.key) return shown.flash;
  if (shown.flash) setShown({ key, flash: null });
  return null;
}

const PANEL = cx(
  "rounded-3 border border-line bg-sheet px-[1.15rem] pt-[0.9rem] pb-[1.05rem] [&_h2]:mb-2 [&_h2]:text-md",
);

export function Panel({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={PANEL} aria-labelledby={`${id}-title`}>
      {/* Links lead here, with the focus. */}
      <h2 id={`${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Frames what needs no heading of its own. `className` says how its parts are laid out. */
export function Box({ role, className, children }: { role?: "alert"; className?: string; children: ReactNode }) {
  return (
    <div className={cx(PANEL, className)} role={role}>
      {children}
    </div>
  );
}

/** Says why nothing was done; no message: nothing is said. */
export const Rejection = ({ message, ...notice }: Omit<NoticeProps, "kind">) =>
  message ? (
    <div role="alert">
      <Notice kind="error" message={message} {...notice} />
    </div>
  ) : null;

export function ErrorPanel({ message, retryTo }: { message: string; retryTo: string }) {
  return (
    <div role="alert" className="mb-5">
      <Notice kind="error" title="Error" className="mb-5" message={message} />
      <LinkButton variant="quiet" to={retryTo}>
        Retry
      </LinkButton>
    </div>
  );
}

/** Tells what would be here and what to do next. No illustration. */
export function EmptyState({ title, body, action }: { title: string; body?: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-2 rounded-3 border border-line bg-sheet px-6 py-7">
      <h2 className="text-lg" {...resultAttributes}>
        {title}
      </h2>
      {body ? <p>{body}</p> : null}
      {action}
    </div>
  );
}

export function Confirmation({ children }: { children: ReactNode }) {
  return (
    <Box className="wrap-anywhere grid max-w-160 gap-4 [&>ul]:list-disc [&>ul]:pl-5 [&_form]:grid [&_form]:gap-4">
      {children}
    </Box>
  );
}

type SheetProps = {
  id: string;
  title: string;
  titleHidden?: boolean;
  aside?: ReactNode;
  isMain?: boolean;
  children: ReactNode;
};

/** Frames a list or a table that reaches to its edges, under a line with its heading. */
export function Sheet({ id, title, titleHidden, aside, isMain, children }: SheetProps) {
  return (
    <section
      className={cx(
        "flex flex-col rounded-3 border border-line bg-sheet",
        isMain && "rounded-t-none border-t-2 border-t-ink",
      )}
      aria-labelledby={`${id}-title`}
    >
      <div
        className={
          titleHidden ? "sr-only" : "flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-3 pb-2"
        }
      >
        <h2 className="text-md" id={`${id}-title`}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export function SheetRows({ children }: { children: ReactNode }) {
  return <ul className="*:border-line *:border-t *:px-4 *:py-2">{children}</ul>;
}

type ColumnsProps = HTMLAttributes<HTMLElement> & { as?: "div" | "section" };

/** Columns stack when the text needs the room, not at a fixed width. `className` says how wide each wants to be. */
export function Columns({ as: Element = "div", className, ...rest }: ColumnsProps) {
  return <Element className={cx("flex flex-wrap items-start gap-x-columns gap-y-7 *:min-w-0", className)} {...rest} />;
}

export const formColumnStyle = (className?: string) =>
  cx(
    "grid grid-cols-[minmax(0,1fr)] gap-5 [&>form>button]:justify-self-start [&>form]:grid [&>form]:grid-cols-[minmax(0,1fr)] [&>form]:gap-5",
    className,
  );

export function FormColumn({ children }: { children: ReactNode }) {
  return <div className={formColumnStyle("max-w-[34rem]")}>{children}</div>;
}

type ErrorPageProps = {
  title: string;
  text: ReactNode;
  links: readonly { label: string; to: string; isNewDocument?: boolean }[];
  isInLayout?: true;
};

/** Never a stack trace. */
export function ErrorPage({ title, text, links, isInLayout }: ErrorPageProps) {
  return (
    <div
      className={cx(
        "clear-both grid gap-4 py-[clamp(2.5rem,10vh,7rem)]",
        !isInLayout && "mx-auto max-w-page px-gutter",
      )}
    >
      <h1>{title}</h1>
      <p className="text-ink-2">{text}</p>
      <nav aria-label="Where to go next">
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {links.map(({ label, to, isNewDocument }) => (
            <li key={to}>{isNewDocument ? <a href={to}>{label}</a> : <Link to={to}>{label}</Link>}</li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

/** Each page of the admin area and the portal exports it as its error boundary: the layout around the page stays. */
export function AreaError() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const page = useMatches().at(-1);
  const listName = (page?.handle as ListHandle | undefined)?.listName;
  const isUnknownAddress = page?.id.endsWith("$") === true;
  // Who may not open the page may often not open the list it is below either.
  const isDenied = isRouteErrorResponse(error) && error.status === 403;
  // What was an error when the page came, the framework answers once more to the first who asks: a new page asks us.
  const isNewDocument = typeof document !== "undefined" && Boolean(window.__remixContext.state.errors);
  const retry = { label: "Retry", to: pathname + search, isNewDocument };
  const again = isRouteErrorResponse(error) && error.status < 500 ? [] : [retry];
  const { title, text, links } = routeErrorText(error);
  const waysOn = links ?? [...again, ...waysBack(pathname, isUnknownAddress || isDenied ? null : listName)];
  return <ErrorPage title={title} text={text} links={[...waysOn, HOME]} isInLayout />;
}

const HOME = { label: "Return to Home", to: "/" };

export type ListHandle = { listName: string };

/** `listName`: how the list is called, if that is not the word in its address; null: the list is left out. */
function waysBack(pathname: string, listName: string | null | undefined) {
  const [, area = "", list = "", ...below] = pathname.split("/");
  const dashboard = { label: "Back to Dashboard", to: `/${area}` };
  if (below.length === 0 || listName === null) return [dashboard];
  const name = listName ?? list.charAt(0).toUpperCase() + list.slice(1);
  return [{ label: `Back to ${name}`, to: `/${area}/${list}` }, dashboard];
}

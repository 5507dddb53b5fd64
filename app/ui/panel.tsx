import type { ReactNode } from "react";
import { LinkButton } from "./button";
import { cx } from "./cx";
import { Notice } from "./flash";
import { resultAttributes } from "./page-announcer";

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

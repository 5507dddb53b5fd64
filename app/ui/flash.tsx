import { cva } from "class-variance-authority";
import { type ReactNode, useEffect, useState } from "react";
import type { FlashMessage } from "~/lib/form";
import { CheckCheck, CircleAlert, Icon, Info, TriangleAlert } from "./icon";

export type Flash = FlashMessage;

type MessageKind = Flash["kind"];

const styles = cva("flex items-start gap-3 rounded-2 border border-l-4 px-[1.1rem] py-[0.85rem]", {
  variants: {
    kind: {
      success: "border-success-line border-l-success bg-success-tint",
      error: "border-danger-line border-l-danger bg-danger-tint",
      info: "border-line-strong border-l-brand bg-brand-tint",
      warning: "border-warning-line border-l-warning bg-warning-tint",
    },
  },
});

const glyphStyle = cva("mt-[0.2em]", {
  variants: {
    kind: { success: "text-success", error: "text-danger", info: "text-brand", warning: "text-warning" },
  },
});

const GLYPHS: Record<MessageKind, string> = {
  success: CheckCheck,
  error: CircleAlert,
  info: Info,
  warning: TriangleAlert,
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
  return (
    <div className={styles({ kind, className })}>
      <Icon of={GLYPHS[kind]} className={glyphStyle({ kind })} />
      <p className="wrap-anywhere min-w-0">
        {title ? <strong>{title}</strong> : null} {message}
      </p>
    </div>
  );
}

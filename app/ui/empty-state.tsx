import type { ReactNode } from "react";
import { resultAttributes } from "./page-announcer";

type EmptyStateProps = { title: string; body?: ReactNode; action?: ReactNode };

/** Tells what would be here and what to do next. No illustration. */
export function EmptyState({ title, body, action }: EmptyStateProps) {
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

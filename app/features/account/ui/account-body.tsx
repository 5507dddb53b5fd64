import type { ReactNode } from "react";

/** Shows the content of an account page in one narrow column. */
export function AccountBody({ children }: { children: ReactNode }) {
  return <div className="grid max-w-160 grid-cols-[minmax(0,1fr)] gap-6 pb-[clamp(3rem,6vw,5rem)]">{children}</div>;
}

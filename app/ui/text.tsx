import type { HTMLAttributes, ReactNode } from "react";
import { cx } from "./cx";

/** Renders an address that may take two lines: it breaks before its domain, and inside a word only if it must. */
export function EmailText({ email }: { email: string }) {
  const domainAt = email.lastIndexOf("@") + 1;
  if (domainAt === 0) return email;
  return (
    <span className="wrap-anywhere">
      {email.slice(0, domainAt)}
      <wbr />
      {email.slice(domainAt)}
    </span>
  );
}

/** Never for prose or prices. */
export function Mono({ className, ...rest }: HTMLAttributes<HTMLSpanElement>) {
  return <span className={cx("font-medium font-mono text-[0.9em]/[1.4]", className)} {...rest} />;
}

export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

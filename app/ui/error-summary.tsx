import { useEffect, useRef, useState } from "react";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { cx } from "./cx";
import { correctedField } from "./field";

/** The attribute works without scripts, which a call to `focus()` would not. */
export const focusOnLoad = { autoFocus: true } as const;

type ErrorSummaryProps = {
  title: string;
  /** "form" is the form as a whole and gets no link. */
  errors: FieldErrors;
  /** Holds the ids of fields, by name, where they differ because another form on the page has a field of this name. */
  ids?: Readonly<Record<string, string>>;
  className?: string;
};

/** The outer element takes the focus, the inner one announces, so that no screen reader reads only half of it. */
export function ErrorSummary({ title, errors, ids, className }: ErrorSummaryProps) {
  const summary = useRef<HTMLDivElement>(null);
  // Each answer of the server brings a new object, so a second rejection takes the focus again.
  useEffect(() => {
    if (Object.keys(errors).length > 0) summary.current?.focus();
  }, [errors]);
  const corrected = useCorrected(errors);
  const all = Object.entries(errors);
  const left = all.filter(([field]) => !corrected.includes(ids?.[field] ?? field));
  if (all.length > 0 && left.length === 0) return null;
  return (
    <div
      className={cx("rounded-2 border-2 border-danger bg-danger-tint px-[1.35rem] pt-[1.1rem] pb-5", className)}
      tabIndex={-1}
      ref={summary}
      data-error-summary=""
      {...focusOnLoad}
    >
      <div role={left.length < all.length ? undefined : "alert"}>
        <h2 className="text-lg">{title}</h2>
        <ul className="mt-[0.6rem] grid gap-[0.3rem] font-semibold text-danger [&_a]:text-danger">
          {left.map(([field, message]) => (
            <li key={field}>{field === "form" ? message : <a href={`#${ids?.[field] ?? field}`}>{message}</a>}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function useCorrected(errors: FieldErrors): readonly string[] {
  const [corrected, setCorrected] = useState<{ errors: FieldErrors; ids: readonly string[] }>({ errors, ids: [] });
  useEffect(() => {
    const note = (event: Event) => {
      const id = correctedField(event);
      if (id) setCorrected((before) => ({ errors, ids: [...(before.errors === errors ? before.ids : []), id] }));
    };
    document.addEventListener("input", note);
    return () => document.removeEventListener("input", note);
  }, [errors]);
  return corrected.errors === errors ? corrected.ids : [];
}

type ValidationNoticeProps = { validationError: Pick<ValidationError, "title" | "errors"> | null };

export function ValidationNotice({ validationError }: ValidationNoticeProps) {
  return validationError ? <ErrorSummary title={validationError.title} errors={validationError.errors} /> : null;
}

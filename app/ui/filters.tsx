import { useNavigation, useSubmit } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Form } from "react-router-dom";
import { significantParams } from "~/lib/addresses";
import { Button, buttonStyle } from "./button";

type FiltersProps = {
  label: string;
  action: string;
  /** The fields have it as their default. */
  values: Readonly<Record<string, string>>;
  defaults?: Readonly<Record<string, string>>;
  folds?: boolean;
  children: ReactNode;
};

/** After a navigation the fields show the new address, except those that somebody has set while it loaded. */
export function Filters({ label, action, values, defaults, folds = false, children }: FiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const isNavigating = useNavigation().state !== "idle";
  // Names of the fields that were set since the form was sent, or since a link was followed.
  const touched = useRef(new Set<string>());
  const isSent = useRef(false);
  const address = JSON.stringify(values);
  const shown = useRef(address);

  useEffect(() => {
    if (isNavigating && !isSent.current) touched.current.clear();
    if (!isNavigating) isSent.current = false;
  }, [isNavigating]);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    for (const [name, value] of Object.entries(JSON.parse(address) as Record<string, string>)) {
      const field = form.current?.elements.namedItem(name);
      const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
      if (isField && !touched.current.has(name)) field.value = value;
    }
  }, [address]);

  const touch = ({ target }: FormEvent) => {
    if ("name" in target) touched.current.add(String(target.name));
  };
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    isSent.current = true;
    touched.current.clear();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)] as const);
    submit(significantParams(entries, defaults), { method: "get", action });
  };
  const bar = (
    <Form
      ref={form}
      className="filter-bar"
      method="get"
      action={action}
      role="search"
      aria-label={label}
      onSubmit={send}
      onInput={touch}
      onChange={touch}
    >
      {children}
      <Button type="submit" variant="quiet">
        Search
      </Button>
    </Form>
  );
  if (!folds) return bar;
  return (
    <details className="filter-fold">
      <summary className={buttonStyle({ variant: "quiet", wide: true })}>Search and filter</summary>
      {bar}
    </details>
  );
}

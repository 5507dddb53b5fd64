import { Form, useNavigation } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Button, LinkButton } from "./button";

type FilterFormProps = {
  label: string;
  /** The list's own address. */
  action: string;
  /** What the address says of each field, by its name. The fields take it as their default. */
  values: Readonly<Record<string, string>>;
  children: ReactNode;
};

/**
 * A filter is a GET form: its state is the address, and nothing is sent before the button is pressed. When the list of
 * another address has arrived, the fields show that address, except those somebody has set meanwhile: who chooses
 * faster than the page arrives loses nothing.
 */
export function FilterForm({ label, action, values, children }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isUnderWay = useNavigation().state !== "idle";
  // What was set since the form was sent, or since a link was followed instead.
  const touched = useRef(new Set<string>());
  const isSent = useRef(false);
  const address = JSON.stringify(values);
  const shown = useRef(address);

  useEffect(() => {
    if (isUnderWay && !isSent.current) touched.current.clear();
    if (!isUnderWay) isSent.current = false;
  }, [isUnderWay]);
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
  return (
    <Form
      ref={form}
      className="filters"
      method="get"
      action={action}
      role="search"
      aria-label={label}
      onSubmit={() => {
        isSent.current = true;
        touched.current.clear();
      }}
      onInput={touch}
      onChange={touch}
    >
      {children}
    </Form>
  );
}

type FiltersProps = FilterFormProps & {
  /** Whether anything is filtered: only then is there something to clear. */
  active: boolean;
};

/** The fields of a list, the first one the widest, with their two buttons. */
export function Filters({ active, children, ...form }: FiltersProps) {
  return (
    <FilterForm {...form}>
      {children}
      <div className="acts-row">
        <Button type="submit" variant="quiet">
          Apply Filter
        </Button>
        {active ? (
          <LinkButton variant="ghost" to={form.action}>
            Clear
          </LinkButton>
        ) : null}
      </div>
    </FilterForm>
  );
}

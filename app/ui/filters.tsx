import { Form, useNavigation } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Button, LinkButton } from "./button";
import { ButtonRow } from "./button-row";
import { cx } from "./cx";

/** Lays out a line of fields. The first field, or the one to search by, is the widest. */
export const FILTERS = cx(
  "compact-labels flex flex-wrap items-end gap-3 [--field-gap:0.25rem] print:hidden",
  "*:data-field:flex-[1_1_8rem] *:data-field:has-[[type=search]]:flex-[1.6_1_14rem] *:data-field:first:flex-[1.6_1_14rem]",
  "@max-medium:*:data-field:flex-[1_1_40%] @max-medium:*:data-field:has-[[type=search]]:flex-[1_1_100%] @max-medium:*:data-field:first:flex-[1_1_100%] @max-medium:[&>div:last-child]:flex-[1_1_100%]",
  // One height for all, whatever a browser puts inside a date.
  "[&_:is(input,select,button,summary,form>div>a)]:h-[max(var(--spacing-tap),2.375rem)]",
  "@max-medium:[&_:is(button,summary,form>div>a)]:flex-1 [&_:is(button,summary,form>div>a)]:flex-none [&_:is(button,summary,form>div>a)]:whitespace-nowrap",
);

type FilterFormProps = {
  label: string;
  /** The list's own address. */
  action: string;
  /** The value of each field in the address, by name. The fields have it as their default. */
  values: Readonly<Record<string, string>>;
  children: ReactNode;
};

/**
 * Sends the filters of a list as a GET form: their state is the address, and nothing is sent before the button is
 * pressed. After a navigation the fields show the new address, except those that somebody has set while it loaded.
 */
function FilterForm({ label, action, values, children }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
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
  return (
    <Form
      ref={form}
      className={FILTERS}
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
  /** Tells whether a filter is set: only then is there something to clear. */
  active: boolean;
  /** Texts of the two buttons. */
  labels?: { apply: string; clear: string };
};

const LABELS = { apply: "Apply Filter", clear: "Clear" };

/** Shows the filter fields of a list, the first one the widest, with their two buttons. */
export function Filters({ active, labels = LABELS, children, ...form }: FiltersProps) {
  return (
    <FilterForm {...form}>
      {children}
      <ButtonRow dense>
        <Button type="submit" variant="quiet">
          {labels.apply}
        </Button>
        {active ? (
          <LinkButton variant="ghost" to={form.action}>
            {labels.clear}
          </LinkButton>
        ) : null}
      </ButtonRow>
    </FilterForm>
  );
}

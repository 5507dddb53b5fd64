import { cva } from "class-variance-authority";
import {
  createContext,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { cx } from "./cx";
import { useSending } from "./form";
import { CircleAlert, Icon } from "./icon";

/** `state` is a select in the colours of the state it shows. */
export const controlStyle = cva("w-full scroll-mt-20 rounded-2 border", {
  variants: {
    kind: {
      text: "min-h-tap border-control bg-sheet px-3 py-[0.45rem]",
      area: "field-sizing-content min-h-[calc(5lh+1rem)] resize-y border-control bg-sheet px-3 py-[0.45rem]",
      select:
        "min-h-tap appearance-none border-control bg-chevron bg-position-[right_0.6rem_center] bg-sheet bg-size-[1.05rem] bg-no-repeat py-[0.45rem] pr-[2.1rem] pl-3",
      state:
        "min-h-8 appearance-none border-transparent bg-chevron bg-position-[right_0.4rem_center] bg-size-[1.05rem] bg-no-repeat py-[0.2rem] pr-7 pl-[1.8rem] font-semibold text-xs hover:border-control max-md:min-h-11",
      file: "min-h-tap border-control border-dashed bg-sheet p-[0.45rem] file:mr-[0.9rem] file:rounded-2 file:border file:border-control file:border-solid file:bg-sunken file:px-[0.9rem] file:py-[0.6rem] file:font-sans file:font-semibold file:text-ink file:text-sm/[1]",
    },
  },
  defaultVariants: { kind: "text" },
});

type ControlAttributes = { id: string; name: string; "aria-describedby"?: string; "aria-invalid"?: true };

const FieldContext = createContext<ControlAttributes | null>(null);

export function useField(): Partial<ControlAttributes> {
  return useContext(FieldContext) ?? {};
}

/** What is asked by GET, such as filters, is judged by its address, which stays until the form is sent. */
function correctedField({ target }: Pick<Event, "target">): string | undefined {
  const control = target as HTMLInputElement;
  const isCorrected = control.form?.method === "post" && control.validity.valid && control.value.trim() !== "";
  return isCorrected ? control.id || control.closest("fieldset")?.id : undefined;
}

/** What the server answers next counts again. Pages without React have the same from their script (form-script.ts). */
export function useFieldError(error: string | undefined) {
  const { data } = useSending();
  const [corrected, setCorrected] = useState<{ data: unknown; error?: string }>();
  return {
    // Each answer is a new object, which stays while the page reads its data anew.
    error: corrected && corrected.data === data && corrected.error === error ? undefined : error,
    onInput: ({ nativeEvent }: FormEvent) => {
      if (correctedField(nativeEvent)) setCorrected({ data, error });
    },
  };
}

type FieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  /** Required fields carry no mark. */
  optional?: boolean;
  /** Needed where two forms of a page have a field of the same name. */
  id?: string;
  describedBy?: string;
  children: ReactNode;
  className?: string;
};

/** A form may set `--field-gap`, and make all labels inside small by the utility `compact-labels`. */
const fieldStyle = (className?: string) =>
  cx(
    "grid grid-cols-[minmax(0,1fr)] gap-(--field-gap,0.4rem) has-invalid:border-danger has-invalid:border-l-4 has-invalid:pl-4 [&_[aria-invalid]]:border-2 [&_[aria-invalid]]:border-danger [&_[aria-invalid]]:border-solid",
    className,
  );

/** Wires label, hint, error and control together, so that no page writes aria attributes by hand. */
export function Field(field: FieldProps) {
  const { name, label, hint, optional, id = name, describedBy, children, className } = field;
  const { error, onInput } = useFieldError(field.error);
  return (
    <div className={fieldStyle(className)} data-field="" onInput={onInput}>
      <label
        htmlFor={id}
        className="text-(color:--label-ink,inherit) text-(length:--label-text,inherit) wrap-anywhere font-semibold"
      >
        {label}
        {optional ? <span className="font-normal text-ink-2"> (optional)</span> : null}
      </label>
      {hint ? <Hint id={id}>{hint}</Hint> : null}
      {error ? <FieldError id={id}>{error}</FieldError> : null}
      <FieldContext.Provider
        value={controlAttributes({ id, name, hint: Boolean(hint), error: Boolean(error), describedBy })}
      >
        {children}
      </FieldContext.Provider>
    </div>
  );
}

function Hint({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="text-ink-2 text-sm" id={`${id}-hint`}>
      {children}
    </p>
  );
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="flex items-start gap-[0.4rem] font-semibold text-danger" id={`${id}-error`}>
      <Icon of={CircleAlert} className="mt-[0.2em]" />
      <span>
        <span className="sr-only">Error: </span>
        {children}
      </span>
    </p>
  );
}

type ControlInput = { id: string; name: string; hint: boolean; error: boolean; describedBy?: string };

/** The error is read first. */
function controlAttributes(field: ControlInput): ControlAttributes {
  const { error, hint, describedBy } = field;
  const described = [error && `${field.id}-error`, hint && `${field.id}-hint`, describedBy].filter(Boolean).join(" ");
  return {
    id: field.id,
    name: field.name,
    "aria-describedby": described || undefined,
    "aria-invalid": field.error ? true : undefined,
  };
}

/** Inside a `Field` it takes its name, id and description from there. */
export function Input({ type = "text", className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input type={type} className={controlStyle({ className })} {...useField()} {...rest} />;
}

/** Password managers look for `username` in the forms of an account. */
export function EmailInput({
  autoComplete,
  defaultValue,
}: {
  autoComplete: "username" | "email" | "off";
  defaultValue?: string;
}) {
  return (
    <Input
      type="email"
      autoComplete={autoComplete}
      autoCapitalize="off"
      spellCheck={false}
      defaultValue={defaultValue}
    />
  );
}

export function Textarea({ rows = 5, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <textarea
      rows={rows}
      className={controlStyle({ kind: "area" })}
      autoComplete="off"
      spellCheck
      {...useField()}
      {...rest}
    />
  );
}

export type Option = { value: string; label: string };

export const optionsWithNone = <Value extends string>(
  none: string,
  values: readonly Value[],
  labels: Record<Value, string>,
): Option[] => [{ value: "", label: none }, ...values.map((value) => ({ value, label: labels[value] }))];

export type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, "children"> & {
  options: readonly Option[];
  variant?: "select" | "state" | "bar";
};

export function Select({ options, variant = "select", className, ...rest }: SelectProps) {
  return (
    <select
      className={variant === "bar" ? className : controlStyle({ kind: variant, className })}
      {...useField()}
      {...rest}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** `accept` only helps choosing; the server decides. */
export function FileInput({ accept, multiple }: { accept: string; multiple?: boolean }) {
  return (
    <input type="file" className={controlStyle({ kind: "file" })} accept={accept} multiple={multiple} {...useField()} />
  );
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
};

/** Shows a checkbox with its label after it; otherwise the order of every field: hint, error, control. */
export function Checkbox({ name, label, hint, error: given, id = name, value = "on", ...rest }: CheckboxProps) {
  const { error, onInput } = useFieldError(given);
  return (
    <div className={fieldStyle()} data-field="" onInput={onInput}>
      {hint ? <Hint id={id}>{hint}</Hint> : null}
      {error ? <FieldError id={id}>{error}</FieldError> : null}
      <Tick
        className="text-(color:--label-ink,inherit) text-(length:--label-text,inherit) wrap-anywhere"
        type="checkbox"
        value={value}
        {...controlAttributes({ id, name, hint: Boolean(hint), error: Boolean(error) })}
        {...rest}
      >
        <span>{label}</span>
      </Tick>
    </div>
  );
}

type TickProps = InputHTMLAttributes<HTMLInputElement> & {
  type: "checkbox" | "radio";
  children: ReactNode;
};

/** `className` is for the label around both. */
export function Tick({ className, children, ...rest }: TickProps) {
  return (
    <label className={cx("flex items-start gap-[min(0.7rem,3vw)] font-normal [&>input]:mt-[0.15rem]", className)}>
      <input {...rest} />
      {children}
    </label>
  );
}

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

import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useState } from "react";
import { cx } from "./cx";
import { useSending } from "./form";
import { Icon } from "./icon";
import { CircleAlert } from "./icons";

type ControlAttributes = { id: string; name: string; "aria-describedby"?: string; "aria-invalid"?: true };

const FieldContext = createContext<ControlAttributes | null>(null);

/** Returns what a control inside a `Field` needs to be named, described and marked; null outside one. */
export function useField(): Partial<ControlAttributes> {
  return useContext(FieldContext) ?? {};
}

/**
 * Returns the id of the field that an input has corrected: it is not empty, and the browser has nothing against its
 * value. What is asked by GET, such as filters, is judged by its address, which stays as it is until the form is sent.
 */
export function correctedField({ target }: Pick<Event, "target">): string | undefined {
  const control = target as HTMLInputElement;
  const isCorrected = control.form?.method === "post" && control.validity.valid && control.value.trim() !== "";
  return isCorrected ? control.id || control.closest("fieldset")?.id : undefined;
}

/**
 * Returns the error of a field until it is corrected, and what the element around the control listens to. What the
 * server answers next counts again. Pages without React have the same from their script (form-script.ts).
 */
export function useFieldError(error: string | undefined) {
  const { isPending } = useSending();
  const [corrected, setCorrected] = useState<string>();
  useEffect(() => {
    if (!isPending) setCorrected(undefined);
  }, [isPending]);
  return {
    error: corrected === error ? undefined : error,
    onInput: ({ nativeEvent }: FormEvent) => {
      if (correctedField(nativeEvent)) setCorrected(error);
    },
  };
}

type FieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  /** Tells whether "(optional)" stands behind the label. Required fields carry no mark. */
  optional?: boolean;
  /** Holds the id; by default the name. Needed where two forms of a page have a field of the same name. */
  id?: string;
  /** Holds the id of an element elsewhere that explains the field too, such as the subtitle of a card. */
  describedBy?: string;
  /** Holds the one control: `Input`, `Textarea`, `Select`, `CodeInput`, `FileInput`. */
  children: ReactNode;
  className?: string;
};

/**
 * Returns the classes of the element around a control and its label. A form may set `--field-gap`, and make all labels
 * inside small by the utility `compact-labels`.
 */
export const fieldLook = (className?: string) =>
  cx(
    "grid grid-cols-[minmax(0,1fr)] gap-(--field-gap,0.4rem) has-invalid:border-danger has-invalid:border-l-4 has-invalid:pl-4 [&_[aria-invalid]]:border-2 [&_[aria-invalid]]:border-danger [&_[aria-invalid]]:border-solid",
    className,
  );

/** Wires label, hint, error and control together, so that no page writes aria attributes by hand. */
export function Field(field: FieldProps) {
  const { name, label, hint, optional, id = name, describedBy, children, className } = field;
  const { error, onInput } = useFieldError(field.error);
  return (
    <div className={fieldLook(className)} data-field="" onInput={onInput}>
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

/** Shows one sentence that helps before typing. */
export function Hint({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="text-ink-2 text-sm" id={`${id}-hint`}>
      {children}
    </p>
  );
}

/** Shows the error of the field, in the same words as the summary. */
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

/** Returns the attributes that tie a control to its hint and error. The error is read first. */
export function controlAttributes(field: ControlInput): ControlAttributes {
  const { error, hint, describedBy } = field;
  const described = [error && `${field.id}-error`, hint && `${field.id}-hint`, describedBy].filter(Boolean).join(" ");
  return {
    id: field.id,
    name: field.name,
    "aria-describedby": described || undefined,
    "aria-invalid": field.error ? true : undefined,
  };
}

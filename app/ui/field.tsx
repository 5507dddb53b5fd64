import { CircleAlert } from "lucide-react";
import { createContext, type ReactNode, useContext } from "react";
import { Icon } from "./icon";

type Wiring = { id: string; name: string; "aria-describedby"?: string; "aria-invalid"?: true };

const FieldContext = createContext<Wiring | null>(null);

/** What a control inside a `Field` needs to be named, described and marked; nothing outside one. */
export function useField(): Partial<Wiring> {
  return useContext(FieldContext) ?? {};
}

type FieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  /** Says "(optional)" behind the label. Required fields carry no mark. */
  optional?: boolean;
  /** Defaults to the name; needed where two forms of a page have a field of the same name. */
  id?: string;
  /** Id of an element elsewhere that explains the field too, such as the subtitle of a card. */
  describedBy?: string;
  /** The one control: `Input`, `Textarea`, `Select`, `CodeInput`, `FileInput`. */
  children: ReactNode;
};

/** Label, hint, error, control, wired once and here, so that no page writes aria attributes by hand. */
export function Field({ name, label, hint, error, optional, id = name, describedBy, children }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional ? <span className="opt"> (optional)</span> : null}
      </label>
      {hint ? <Hint id={id}>{hint}</Hint> : null}
      {error ? <FieldError id={id}>{error}</FieldError> : null}
      <FieldContext.Provider value={wiring({ id, name, hint: Boolean(hint), error: Boolean(error), describedBy })}>
        {children}
      </FieldContext.Provider>
    </div>
  );
}

/** One sentence that helps before typing. */
export function Hint({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="hint" id={`${id}-hint`}>
      {children}
    </p>
  );
}

/** Why the field was refused, in the words the summary uses too. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="err" id={`${id}-error`}>
      <Icon of={CircleAlert} />
      <span>
        <span className="vh">Error: </span>
        {children}
      </span>
    </p>
  );
}

type WiredField = { id: string; name: string; hint: boolean; error: boolean; describedBy?: string };

/** The attributes that tie a control to its hint and error. The error is read first. */
export function wiring(field: WiredField): Wiring {
  const { error, hint, describedBy } = field;
  const described = [error && `${field.id}-error`, hint && `${field.id}-hint`, describedBy].filter(Boolean).join(" ");
  return {
    id: field.id,
    name: field.name,
    "aria-describedby": described || undefined,
    "aria-invalid": field.error ? true : undefined,
  };
}

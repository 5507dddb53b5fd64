import type { HeadersArgs } from "@remix-run/cloudflare";
import {
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunction,
  useActionData,
  useFetcher,
  useLocation,
} from "@remix-run/react";
import {
  type ButtonHTMLAttributes,
  type ComponentProps,
  createContext,
  type FormEvent,
  type InputHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Form as RouterForm, type FormProps as RouterFormProps } from "react-router-dom";
import type { ErrorText } from "~/lib/error-texts";
import {
  type FieldErrors,
  type FlashMessage,
  type FormAnswer,
  isFlashRedirect,
  type ValidationError,
} from "~/lib/form";
import { locationOf } from "~/lib/safe-path";
import { Button, type ButtonVariant } from "./button";
import { cx } from "./cx";
import { Check, CircleAlert, Icon } from "./icon";
import { VisuallyHidden } from "./text";

export const formKey = (action: string, name: string) => `${action} ${name}`;

const MARKS: readonly (keyof FormAnswer)[] = ["notSaved", "rejection", "saved", "unchanged", "done", "leaving"];

const isFormAnswer = (data: unknown): data is FormAnswer =>
  typeof data === "object" && data !== null && MARKS.some((mark) => mark in data);

const isDone = (data: unknown): boolean => isFormAnswer(data) && ("done" in data || "saved" in data);

const isRefused = (data: unknown): boolean =>
  data !== undefined && (!isFormAnswer(data) || "notSaved" in data || "rejection" in data);

/** Undefined once the form is accepted. `key` is that of `formKey`. */
export function useFormResult<Body>(key: string): Body | undefined {
  const { data } = useFetcher<Body | FormAnswer>({ key });
  const posted = usePostedResult<Body>();
  if (data !== undefined) return isFormAnswer(data) ? undefined : (data as Body);
  return posted;
}

/** Returns the action data of the document, until the next navigation: a page that refreshes itself would drop it. */
export function usePostedResult<Body>(): Body | undefined {
  const { key } = useLocation();
  const data = useActionData() as Body | undefined;
  const held = useRef({ key, data });
  if (held.current.key !== key || data !== undefined) held.current = { key, data };
  return held.current.data;
}

/** `data`: what the server answered last, an object of its own each time; undefined before. */
type Sending = { isPending: boolean; answer: FormAnswer; data: unknown };

const FormContext = createContext<Sending>({ isPending: false, answer: {}, data: undefined });

export const useSending = () => useContext(FormContext);

type FormProps = Omit<RouterFormProps, "noValidate" | "navigate" | "fetcherKey"> & {
  token?: string;
  name?: string;
  /** Says which of the forms of its page it is; one with several buttons lets them say it. */
  intent?: string;
  staysFilled?: boolean;
};

type Submitter = HTMLButtonElement | null;

/**
 * Works without scripts. On a hydrated page a fetcher sends it, so that page, typed text, focus and scroll position
 * stay when it fails (docs/decisions/0007-no-form-and-toast-library.md). The token comes first: in a multipart body it
 * must be read before any file. `reloadDocument` where the response leaves the signed-in areas.
 */
export function Form({ token, method = "post", name, intent, staysFilled, onSubmit, children, ...rest }: FormProps) {
  const id = useId();
  const { state, data, submit } = useFetcher({ key: formKey(rest.action ?? "", name ?? id) });
  // Whoever reads what is wrong can mend it and press again, while the page still reads its data anew.
  const isPending = state === "submitting" || (state === "loading" && !isRefused(data));
  const answer = isFormAnswer(data) ? data : {};
  const form = useRef<HTMLFormElement>(null);
  const submitter = useRef<Submitter>(null);
  const rounds = useRounds(isPending, isDone(data) && !staysFilled);
  // Other controls may belong to it by their attribute `form`.
  useEffect(() => {
    if (rounds > 0) form.current?.reset();
  }, [rounds]);
  // Under the same token the action runs once: a form whose fate is unknown is sent again under the one it had.
  const sentToken = useRef(token);
  if (!isPending && !answer.notSaved) sentToken.current = token;

  const send = (event: FormEvent<HTMLFormElement>) => {
    onSubmit?.(event);
    if (rest.reloadDocument || event.defaultPrevented) return;
    event.preventDefault();
    if (isPending) return;
    submitter.current = (event.nativeEvent as SubmitEvent).submitter as Submitter;
    submit(submitter.current ?? event.currentTarget, { preventScrollReset: true });
  };
  return (
    <RouterForm key={rounds} ref={form} method={method} noValidate onSubmit={send} {...rest}>
      {token === undefined ? null : <input type="hidden" name="form_token" value={sentToken.current} />}
      {intent ? <input type="hidden" name="intent" value={intent} /> : null}
      <FormContext.Provider value={{ isPending, answer, data }}>
        {children}
        <Failure {...answer} retry={() => form.current?.requestSubmit(submitter.current)} />
      </FormContext.Provider>
    </RouterForm>
  );
}

function useRounds(isPending: boolean, isAccepted: boolean): number {
  const [sent, setSent] = useState({ isPending, rounds: 0 });
  const isOver = sent.isPending && !isPending && isAccepted;
  if (sent.isPending !== isPending) setSent({ isPending, rounds: sent.rounds + (isOver ? 1 : 0) });
  return sent.rounds;
}

function Failure({ notSaved, rejection, retry }: FormAnswer & { retry: () => void }) {
  if (!notSaved && !rejection) return null;
  return (
    <div className="mt-2 flex w-full flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-danger" role="alert">
      {rejection ?? (notSaved === true ? "Not saved. Check your connection and try again." : notSaved)}
      {notSaved ? (
        <Button variant="quiet" size="xs" onClick={retry}>
          Retry
        </Button>
      ) : null}
    </div>
  );
}

type SubmitButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: ButtonVariant;
  size?: "md" | "sm" | "xs";
  wide?: boolean;
  pendingLabel?: string;
  /** Says which of the forms or buttons of its page it is. */
  intent?: string;
};

export function SubmitButton({ pendingLabel, intent, children, className, onClick, ...rest }: SubmitButtonProps) {
  const { isPending } = useSending();
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) return event.preventDefault();
    event.currentTarget.style.minWidth = `${event.currentTarget.offsetWidth}px`;
    onClick?.(event);
  };
  return (
    <Button
      type="submit"
      className={cx(
        "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress aria-disabled:opacity-75",
        pendingLabel &&
          "inline-grid content-center gap-y-0 after:invisible after:h-0 after:overflow-hidden after:content-[attr(data-pending-label)]",
        className,
      )}
      aria-disabled={isPending || undefined}
      onClick={press}
      data-pending-label={pendingLabel}
      {...(intent && { name: "intent", value: intent })}
      {...rest}
    >
      {isPending && pendingLabel ? pendingLabel : children}
    </Button>
  );
}

/** Delays "Saving…" in milliseconds: what is faster needs no word. */
const SAVING_DELAY_MS = 300;

export function useDelayed(isOn: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isOn) return setIsLong(false);
    const timer = setTimeout(() => setIsLong(true), SAVING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isOn && isLong;
}

/** Before the scripts run nothing is known, and the server checks them anyway. */
export function useFilled(names: readonly string[]) {
  const area = useRef<HTMLDivElement>(null);
  const [isFilled, setFilled] = useState(true);
  const check = () => {
    const form = area.current?.closest("form");
    if (form) setFilled(names.every((name) => String(new FormData(form).get(name) ?? "").trim() !== ""));
  };
  useEffect(check);
  return { area, isFilled, check };
}

/*
 * What every route of a hydrated area exports, so that a form that the server did not take never costs the page.
 */

/** Whatever is not an answer of ours becomes a result that the form shows: an error would replace what was typed. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    const result = await serverAction();
    // Something on the way has answered in place of our server, for example the sign-in page of a wireless network.
    if (typeof result !== "object" || result === null) return NOT_SAVED;
    if (!isFlashRedirect(result)) return result;
    landing.flash = result.flash;
    throw new Response(null, { status: 303, headers: { Location: locationOf(result.to) } });
  } catch (thrown) {
    if (!(thrown instanceof Response) || thrown.status >= 500) return NOT_SAVED;
    // It could not be taken, too large or for what the person works on by now. What was typed stays.
    if (thrown.status >= 400 && !SHOWN_AS_PAGE.includes(thrown.status))
      return { rejection: ((await thrown.json()) as ErrorText).text, keepsPage: true };
    const to = thrown.headers.get("Location");
    return (to && answerOfRedirect(new URL(to, location.href), thrown.headers)) || Promise.reject(thrown);
  }
}

export const landing: { hash: string; flash: FlashMessage | null } = { hash: "", flash: null };

const SHOWN_AS_PAGE: readonly number[] = [401, 403, 404];

const NOT_SAVED: FormAnswer = { notSaved: true };

function answerOfRedirect(to: URL, headers: Headers): FormAnswer | undefined {
  if (headers.has("X-Remix-Reload-Document")) {
    location.assign(to);
    // If it is a file, the page stays.
    return { leaving: true };
  }
  const isHere = to.pathname + to.search === location.pathname + location.search;
  if (!isHere) return undefined;
  landing.hash = to.hash;
  return { done: true };
}

/** Loaders would most likely fail too, or show another page. The same while another document is on its way. */
export const revalidateWhenSaved: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) => {
  const answer = actionResult as Partial<FormAnswer> | undefined;
  return defaultShouldRevalidate && !answer?.notSaved && !answer?.keepsPage && !answer?.leaving;
};

export const keepsRejected: ShouldRevalidateFunction = (change) =>
  revalidateWhenSaved(change) && !(change.actionResult as FormAnswer | undefined)?.rejection;

/** A document says when to try again as its action does, or else its loader. */
export function retryHeaders({ actionHeaders, loaderHeaders }: HeadersArgs): Record<string, string> {
  const value = actionHeaders.get("Retry-After") ?? loaderHeaders.get("Retry-After");
  return value ? { "Retry-After": value } : {};
}

const sentAttributes = { "data-sent": "" } as const;

/** `state` is a select in the colours of the state it shows. */
export const controlStyle = (kind: keyof typeof CONTROLS = "text", className?: string): string =>
  cx("w-full scroll-mt-20 rounded-2 border", CONTROLS[kind], className);

const CONTROLS = {
  text: "min-h-tap border-control bg-sheet px-3 py-[0.45rem]",
  area: "field-sizing-content min-h-[calc(5lh+1rem)] resize-y border-control bg-sheet px-3 py-[0.45rem]",
  select:
    "min-h-tap appearance-none border-control bg-chevron bg-position-[right_0.6rem_center] bg-sheet bg-size-[1.05rem] bg-no-repeat py-[0.45rem] pr-[2.1rem] pl-3",
  state:
    "min-h-8 appearance-none border-transparent bg-chevron bg-position-[right_0.4rem_center] bg-size-[1.05rem] bg-no-repeat py-[0.2rem] pr-7 pl-[1.8rem] font-semibold text-xs hover:border-control max-md:min-h-11",
  file: "min-h-tap border-control border-dashed bg-sheet p-[0.45rem] file:mr-[0.9rem] file:rounded-2 file:border file:border-control file:border-solid file:bg-sunken file:px-[0.9rem] file:py-[0.6rem] file:font-sans file:font-semibold file:text-ink file:text-sm/[1]",
};

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
  return <input type={type} className={controlStyle("text", className)} {...useField()} {...rest} />;
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
    <textarea rows={rows} className={controlStyle("area")} autoComplete="off" spellCheck {...useField()} {...rest} />
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
    <select className={variant === "bar" ? className : controlStyle(variant, className)} {...useField()} {...rest}>
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
  return <input type="file" className={controlStyle("file")} accept={accept} multiple={multiple} {...useField()} />;
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

type SaveButtonProps = Omit<ComponentProps<typeof SubmitButton>, "pendingLabel">;

export function SaveButton({ children, className, ...rest }: SaveButtonProps) {
  const { isPending, answer } = useSending();
  const isSlow = useDelayed(isPending);
  const slot = useRef<HTMLSpanElement>(null);
  const hasChanged = useChange(slot, answer);
  const { saved, unchanged } = isPending || hasChanged ? {} : answer;
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <input type="hidden" name="answer" value="beside" />
      <SubmitButton className={cx("min-w-24", className)} {...rest}>
        {isSlow ? "Saving…" : children}
      </SubmitButton>
      <span ref={slot} className="min-w-17 whitespace-nowrap text-sm text-success" role="status">
        {saved ? (
          <>
            <Icon of={Check} className="inline-block align-[-0.15em]" /> Saved
            <VisuallyHidden>: {saved}</VisuallyHidden>
          </>
        ) : null}
        {unchanged ? (
          <span className="text-ink-2">
            No change<VisuallyHidden>: {unchanged}</VisuallyHidden>
          </span>
        ) : null}
      </span>
    </div>
  );
}

function useChange(place: { current: HTMLElement | null }, answer: object): boolean {
  const [changed, setChanged] = useState<object | null>(null);
  useEffect(() => {
    const form = place.current?.closest("form");
    const onInput = ({ target }: Event) => {
      if ((target as HTMLInputElement).form === form) setChanged(answer);
    };
    document.addEventListener("input", onInput);
    return () => document.removeEventListener("input", onInput);
  }, [place, answer]);
  return changed === answer;
}

/** Says inside a form that what it sent before has arrived, until something of it does not. */
export function SentNotice({ label = "Sent", children }: { label?: string; children?: ReactNode }) {
  const { notSaved, rejection } = useSending().answer;
  if (notSaved || rejection) return null;
  return (
    <p className="flex max-w-none scroll-mb-4 flex-wrap items-center gap-x-2 text-sm" {...sentAttributes}>
      <Icon of={Check} className="text-success" />
      <b className="text-success">{label}</b>
      {children}
    </p>
  );
}

type Enhancement<E extends HTMLElement> = (element: E) => () => void;

/** No page waits for the script, and each works without it. `load` must always be the same function. */
export function useEnhancement<E extends HTMLElement>(load: () => Promise<Enhancement<E>>): RefObject<E> {
  const ref = useRef<E>(null);
  useEffect(() => {
    let release: (() => void) | undefined;
    let isGone = false;
    load().then(
      (enhance) => {
        if (!isGone && ref.current) release = enhance(ref.current);
      },
      // The script could not be loaded.
      () => {},
    );
    return () => {
      isGone = true;
      release?.();
    };
  }, [load]);
  return ref;
}

type Saved = "saved" | "unchanged";

export const SAVED_LABELS: Record<Saved, string> = { saved: "Saved", unchanged: "No change" };

export type SentRow = {
  last: Saved | null;
  stateOf: (id: string) => "sending" | Saved | null;
  remember: (event: FormEvent) => void;
};

export function useSentRow({ path, form }: { path: string; form: string }): SentRow {
  const { state, data } = useFetcher({ key: formKey(path, form) });
  const [id, setId] = useState<string | null>(null);
  const isPending = state !== "idle";
  const last = isPending ? null : savedIn(data);
  return {
    last,
    stateOf: (row) => {
      if (row !== id) return null;
      return isPending ? "sending" : last;
    },
    remember: ({ nativeEvent }: FormEvent) => {
      const { submitter } = nativeEvent as SubmitEvent;
      if (!isPending) setId((submitter as HTMLButtonElement | null)?.value.split(".").at(-1) ?? null);
    },
  };
}

function savedIn(answer: unknown): Saved | null {
  if (!isFormAnswer(answer)) return null;
  if (answer.unchanged) return "unchanged";
  return answer.saved ? "saved" : null;
}

type TypedConfirmationProps = {
  name?: string;
  label?: string;
  what: string;
  inCapitals?: boolean;
  typed: string | undefined;
  error: string | undefined;
};

/** Asks to type a name or a word before something that cannot be undone. */
export function TypedConfirmation({ name = "confirm", label, what, inCapitals, typed, error }: TypedConfirmationProps) {
  const request = `Type “${what}” to confirm`;
  return (
    <Field name={name} label={label ?? request} hint={label ? `${request}.` : undefined} error={error}>
      <Input
        autoComplete="off"
        autoCapitalize={inCapitals ? "characters" : undefined}
        spellCheck={false}
        defaultValue={typed}
      />
    </Field>
  );
}

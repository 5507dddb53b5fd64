import { Button } from "~/ui/button";
import { Input } from "~/ui/input";

type PasswordInputProps = {
  autoComplete: "current-password" | "new-password";
  /** Holds the rules for new passwords, as password managers read them. */
  passwordrules?: string;
};

/** Renders a password field with a button to show what was typed. The button stays hidden until the script runs. */
export function PasswordInput(props: PasswordInputProps) {
  return (
    <span className="relative grid [&:has(>button:not([hidden]))>input]:pr-19" data-password="">
      <Input type="password" {...props} />
      <Button variant="ghost" size="sm" className="absolute top-1/2 right-1 -translate-y-1/2" hidden>
        Show
      </Button>
    </span>
  );
}

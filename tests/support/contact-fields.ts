/** Holds the fields of a complete contact form. */
export const CONTACT_FIELDS = {
  first_name: "Priya",
  last_name: "Raman",
  email: "priya@larkspur.example",
  phone: "",
  company: "",
  message: "Eleven laptops.",
  agreed_to_terms: "on",
  website: "",
};

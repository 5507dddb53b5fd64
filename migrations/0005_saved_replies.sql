-- Ten replies to begin with, for all staff. They may be changed and deleted like any other.
INSERT INTO canned_replies (id, created_at, updated_at, owner_id, title, message, category, status)
SELECT 'can_default_' || (key + 1), unixepoch() * 1000, unixepoch() * 1000, NULL, value ->> 0, replace(value ->> 1, '|', char(10)), value ->> 2, value ->> 3
FROM json_each('[
  ["We are on it", "Hello {{client.first_name}},||thank you for telling us. I am looking at it now. You will hear from me again: {{promise.next_reply}}.||{{agent.first_name}}", null, null],
  ["Need more information", "Hello {{client.first_name}},||so that I can find the cause, please tell me:|- When did it begin?|- Does it happen on one device or on several?|- Is there an error message? A photo of the screen is fine.||{{agent.first_name}}", null, "waiting_for_customer"],
  ["Please restart and try again", "Hello {{client.first_name}},||please save your work, restart the device, and try again. If it still happens, answer here and I will go on.||{{agent.first_name}}", "Technical Support", "waiting_for_customer"],
  ["Password was reset", "Hello {{client.first_name}},||the password is reset. You will be asked to choose a new one when you sign in next. If you did not ask for this, call us at once: {{site.phone}}.||{{agent.first_name}}", "Account Issues", "waiting_for_customer"],
  ["Remote session", "Hello {{client.first_name}},||I would like to look at this together with you. When may I connect to your screen? Leave the device on and be beside it; nothing is opened without you.||{{agent.first_name}}", "Technical Support", "waiting_for_customer"],
  ["Visit is scheduled", "Hello {{client.first_name}},||we will come to {{org.name}} about {{ticket.number}}. Please answer with the days and hours that suit you, and whom we should ask for.||{{agent.first_name}}", "Technical Support", "waiting_for_customer"],
  ["Waiting for a supplier", "Hello {{client.first_name}},||we have ordered what is needed and wait for the supplier. I will write as soon as I know the day.||{{agent.first_name}}", null, null],
  ["Suspicious mail", "Hello {{client.first_name}},||thank you for asking before opening it. Please do not click anything in it and do not answer it. Delete it; we have blocked the sender.||{{agent.first_name}}", "Security", "waiting_for_customer"],
  ["Is it still happening?", "Hello {{client.first_name}},||I have not heard from you about \"{{ticket.subject}}\". Is it solved? If not, answer here and I will go on.||{{agent.first_name}}", null, "waiting_for_customer"],
  ["Resolved", "Hello {{client.first_name}},||this is done. If anything is still not right, answer here and {{ticket.number}} is open again.||{{agent.first_name}}, {{site.name}}", null, "resolved"]
]');

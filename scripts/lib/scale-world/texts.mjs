/** Lists the words that names and messages are made of. */
export const FIRST_NAMES =
  "Ada Ben Cleo Dario Elsa Finn Greta Hugo Iris Jonas Kira Leon Mara Nils Olga Paul Quinn Rosa Stefan Tara Ulla Viktor Wanda Xenia Yann Zoe".split(
    " ",
  );

export const LAST_NAMES =
  "Abbott Becker Castillo Duarte Eriksen Fontaine Grant Hoffman Ito Jansen Kowalski Larsen Moreau Novak Olsen Petrov Quirke Ricci Sato Turner Ueda Vega Walsh Xu Young Zeller".split(
    " ",
  );

export const COMPANY_NAMES =
  "Cedar Harbor Summit Meadow Granite Willow Lantern Orchard Bridge Anchor Canyon Falcon Juniper Prairie Sterling Tidewater".split(
    " ",
  );

export const COMPANY_KINDS =
  "Dental|Legal|Accounting|Clinic|Academy|Logistics|Studio|Bakery|Pharmacy|Architects|Brewing|Motors|Realty|Surveying|Printing|Foundation".split(
    "|",
  );

export const SENTENCES = [
  "Our server is older than our youngest colleague and sounds like it.",
  "We need somebody who answers the phone before ten in the morning.",
  "The wireless network reaches every room except the one with the people in it.",
  "Please call rather than write, our mail is part of the problem.",
  "Backups exist, but nobody has ever restored one.",
  "We are moving to a new building in the summer and want to do it properly this time.",
  "Two people left and we are not sure which passwords they know.",
  "What would the Core plan cost for a team of our size?",
  "An auditor gave us a list of forty items and three weeks.",
  "We have printers from five makers and none of them prints on Mondays.",
  "Everything works at the moment, which is why we have time to ask.",
  "Is it possible to start with an assessment and decide afterwards?",
];

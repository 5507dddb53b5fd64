/*
 * What reached the contact form, newest first: days ago, name, company, the sender's mail domain under .example,
 * message. Names and firms are invented.
 */

export const submissions = parse(`
0.06 | Tessa Lindqvist | Maple Street Veterinary | maplestreetvet | Two of our three exam rooms lost the network this morning and our practice software keeps timing out. Can somebody look at it this week? We have nine people and a server in the closet.
0.2 | Omar Benitez | Benitez & Daughters Roofing | benitezroofing | Looking for someone to take over our e-mail and four laptops. Our nephew used to do it.
0.7 | Grace Okafor | Riverbend Food Bank | riverbendfoodbank | We are a non-profit with 14 staff and about 60 volunteers. Do you offer a plan for shared computers that volunteers sign in to? We would like a quote before our board meets on the 12th.
1.1 | Henrik Solberg | | solberg-design | I work alone from home and need backups that I do not have to think about.
1.6 | Lucia Ferrante | Ferrante Bakery | ferrantebakery | Our till and the card reader share one old router. When it rains it stops working. What would Basic cover?
2.3 | Dmitri Voss | Voss Machine Works | vossmachine | CNC controllers on Windows 7 that we cannot upgrade. How would you keep them safe without taking them off the network?
3.2 | Amara Nwosu | Northlight Physiotherapy | northlightphysio | We open a second location in spring and want phones, Wi-Fi and patient records to work the same in both.
3.9 | Ben Castellano | Castellano Title | castellanotitle | Our insurer asks for multi-factor sign-in and a written incident plan before renewal. Renewal is in five weeks.
4.8 | Yuki Arakawa | Willow Lane Montessori | willowlane | 20 tablets, 6 laptops, parents' photos that must not get lost. The estimate on your page looks right, please call me after 3 pm.
5.4 | Patrick Delaney | Delaney Funeral Home | delaneyfuneral | Our website and mail went down during a weekend and nobody answered the phone at our provider. We want to talk about 24/7 coverage.
6.5 | Ines Carvalho | Carvalho Law | carvalholaw | Three attorneys and two assistants. We need encrypted mail and a clear answer on where our files are stored.
8.2 | Noah Fischer | Green Door Theatre | greendoortheatre | Box office runs on one PC. If it dies on opening night so do we. What would a spare cost?
9.7 | Ruth Abernathy | Abernathy Orchards | abernathyorchards | Seasonal business, 4 people in winter and 30 in autumn. Can we change the number of users by month?
11.3 | Sanjay Mehta | Mehta Family Dentistry | mehtadentistry | We were referred by Brightsmile. Same size, same software. When could you start?
12.6 | Clara Jensen | Harbor Street Books | harborstreetbooks | Point of sale, inventory and a newsletter with 4,000 readers. Nothing fancy, it should simply work.
14.1 | Marcus Webb | Webb Surveying | webbsurveying | Field crews upload large drone files at night over a slow line. Looking for ideas before we buy faster internet.
15.8 | Elif Demir | Sunrise Hospice | sunrisehospice | We need a partner who knows what HIPAA means in practice, not only in the brochure. 38 people, most of them on the road.
17.5 | Tom Haverford | Pine Ridge Camp | pineridgecamp | One office, nine cabins, Wi-Fi everywhere except where children sleep. Is that something you do?
19.9 | Nadia Rahimi | Rahimi Accounting | rahimiaccounting | Tax season starts in ten weeks. I would like our backups tested before that, and not by us.
22.4 | George Pappas | Pappas Catering | pappascatering | Phishing mail in my name went to our customers. We changed the password. What else should we do right now?
24 | Freya Lund | Lund Architects | lundarchitects | 12 workstations with heavy 3D work, a file server that is full and a new hire every other month. Attached is our list of machines.
26.7 | Isaac Coleman | Coleman Auto Repair | colemanauto | Diagnostic laptops have to stay on the maker's image. Can you manage the rest of the shop?
28.3 | Hana Kovac | Blue Heron Pediatrics | blueheronpeds | Front desk says the computers are slow every Monday at eight. Five years nobody found out why.
30.9 | Victor Ramos | Ramos Landscaping | ramoslandscaping | Do you set up phones for a crew of 18? Shared calendar, photos of jobs, time sheets.
33.5 | Leah Goldstein | Beth Tikvah Community Center | bethtikvah | We would like a free assessment. The building has four tenants on the same network, which worries me.
36.2 | Aiden Murphy | Three Keys Music School | threekeysmusic | Online lessons freeze when more than three rooms are busy. The provider says our line is fine.
38.8 | Mei Zhang | Lotus Acupuncture | lotusacupuncture | Two practitioners. Is Premium more than we need?
41.4 | Oscar Nyberg | Nyberg Boatyard | nybergboatyard | Salt, dust and computers. We lose two machines a year. Looking for sturdy hardware and a support contract.
44.1 | Farah Siddiqui | Crescent Pharmacy | crescentpharmacy | We have to replace an end-of-life server by the end of the quarter. Please send references from other pharmacies.
46 | Walter Brandt | | brandt-clocks | I repair clocks and have no idea about computers. Somebody told me to ask you about a stolen password.
48.6 | Simone Dubois | Dubois Insurance Agency | duboisinsurance | We are switching our agency software in May and need help moving 15 years of documents.
51.3 | Kofi Mensah | Lakeside Animal Shelter | lakesideshelter | Donated computers of every kind. Can you make something reliable out of them?
54.9 | Rachel Kim | Kim & Park CPAs | kimpark | Asking for a second opinion on an offer we got: 18,000 for a firewall and a server for nine people.
57.7 | Andre Lefevre | Atelier Lefevre | atelierlefevre | Cloud or no cloud? We are four photographers with 40 TB.
60.4 | Molly O'Brien | Shamrock Movers | shamrockmovers | Drivers need their schedules on the phone and dispatch needs to know where they are. Also our printer.
63.2 | Jamal Harris | Harris Credit Counseling | harriscredit | An audit found shared passwords. We want to fix this properly, with training for everybody.
66.5 | Svetlana Orlova | Orlova Ballet | orlovaballet | Registration opens in two weeks and the site was down the last two times. Can that be avoided?
69.8 | Peter van Dijk | Van Dijk Nurseries | vandijknurseries | Greenhouse controllers should be reachable from home but from nowhere else.
72.3 | Gloria Santos | Santos Home Health | santoshomehealth | 25 nurses with tablets, three of them lost last year. What can you lock or wipe from afar?
75.6 | Liam Kelleher | Old Mill Brewery | oldmillbrewery | Taproom Wi-Fi for guests must never touch the brewing system again. It did once. Once was enough.
78.9 | Zara Hussain | Bright Path Tutoring | brightpathtutoring | Can you set up 12 computers over the summer break, and what happens when one breaks in September?
81.4 | Edgar Whitfield | Whitfield County Library | whitfieldlibrary | Public computers that clean themselves after each visitor, and staff computers that do not. 9 and 11 of them.
84.7 | Bianca Rossi | Rossi Optical | rossioptical | We got a ransom note on Friday, paid nothing and lost two days. Never again, please.
88.2 | Martin Schreiber | Schreiber Printing | schreiberprinting | Prepress on Macs, office on Windows, everything on one switch from 2009. Where would you begin?
`);

/** Holds the submissions held for review: the reason in front, the rest as above. */
export const heldSubmissions = parse(`
content | 0.9 | Best Ranking | SEO Masters | seo-masters | Dear owner we make you first page http://a.example http://b.example http://c.example http://d.example http://e.example http://f.example
honeypot | 3.4 | John Smith | Bulk Reach | bulk-mailer | Hello, I would like to buy advertising on your page.
no_bot_token | 6.1 | Agnes Thornbury | Thornbury Quilts | thornburyquilts | My browser is old but my question is simple: do you also help people who sell at fairs?
too_many | 13.5 | Karl Unger | Unger Heating | ungerheating | I have written five times now. Is this form working?
`);

export const estimates = {
  riverbendfoodbank: { plan: "basic", users: 14, lab: 20, addOns: [] },
  willowlane: { plan: "premium", users: 6, lab: 20, addOns: ["secureStorage"] },
  northlightphysio: { plan: "core", users: 16, lab: 0, addOns: [] },
  sunrisehospice: { plan: "premium", users: 38, lab: 0, addOns: ["secureStorage"] },
  lundarchitects: { plan: "core", users: 12, lab: 2, addOns: ["secureStorage", "extraOnsiteVisits"] },
  lotusacupuncture: { plan: "basic", users: 2, lab: 0, addOns: ["webServices"] },
  whitfieldlibrary: { plan: "basic", users: 11, lab: 9, addOns: [] },
};

export const NOTES = [
  "Called, left a message with the front desk. Trying again tomorrow morning.",
  "Good talk. They decide together with their accountant, so the estimate should list the one-time work separately.",
  "Sent the checklist for the assessment. Site visit proposed for next week.",
  "Their current contract ends in two months with thirty days' notice.",
  "Asked for references in the same line of work. Brightsmile agreed to be named.",
  "Server is out of warranty since last year, put that first in the proposal.",
  "Prefers e-mail, does not pick up the phone during opening hours.",
  "Budget is small, start with Basic and review after a quarter.",
  "Spoke to the owner's daughter, who really decides. Number is in the message.",
  "Walk-through done: 14 devices, two switches, no backup. Notes are in the assessment.",
  "Waiting for the list of users.",
  "Went with a cousin's firm for now. Friendly, wants to hear from us in the autumn.",
];

function parse(table) {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const cells = line.split("|").map((cell) => cell.trim());
      const [daysAgo, name, company, domain, message] = cells.slice(-5);
      const [firstName, ...rest] = name.split(" ");
      return {
        moderationReason: cells.length === 6 ? cells[0] : null,
        daysAgo: Number(daysAgo),
        firstName,
        lastName: rest.join(" "),
        company: company || null,
        domain,
        message,
      };
    });
}

/*
 * The people who write to the agent, with phrases that start and end their first message.
 */

export interface Persona {
  readonly short: string
  /** How they write, for a model that plays them. */
  readonly label: string
  readonly openers: readonly [string, ...string[]]
  readonly closers: readonly [string, ...string[]]
}

export const personas: readonly [Persona, ...Persona[]] = [
  {
    short: 'polite',
    label: 'polite and friendly',
    openers: [
      'Hello, I hope you can help me.',
      'Good morning, and thank you for being there.',
      'Hi, I hope you are having a good day.',
      'Hello! It would be great to get some help.',
    ],
    closers: [
      'Thank you very much!',
      'Many thanks in advance.',
      'I really appreciate your help.',
      'Have a lovely day!',
    ],
  },
  {
    short: 'brief',
    label: 'brief, writes fragments rather than sentences',
    openers: ['Hi.', 'Quick one:', 'Short question.', 'Help needed.'],
    closers: ['Thx.', 'That is all.', 'Nothing else.', 'Done then.'],
  },
  {
    short: 'in a hurry',
    label: 'in a hurry, wants the result at once',
    openers: [
      'I only have two minutes.',
      'I am about to board a train, so this has to be quick.',
      'This is urgent.',
      'My meeting starts in five minutes.',
    ],
    closers: [
      'Please do it right now.',
      'I cannot wait long.',
      'Skip the small talk, please.',
      'As fast as you can, please.',
    ],
  },
  {
    short: 'frustrated',
    label: 'frustrated after earlier attempts that failed',
    openers: [
      'This is the third time I am writing about this.',
      'Nobody has been able to help me so far.',
      'I was sent from one person to the next yesterday.',
      'Your website gave me an error all morning.',
    ],
    closers: [
      'I expect a real answer this time.',
      'Please do not send me somewhere else again.',
      'I am close to giving up.',
      'This should not be so hard.',
    ],
  },
  {
    short: 'unsure',
    label: 'unsure, asks for reassurance',
    openers: [
      'I am not sure whether this is the right place.',
      'Sorry if this is a silly question.',
      'I hope I am not doing anything wrong here.',
      'I have never done this myself.',
    ],
    closers: [
      'Is that okay?',
      'Please tell me if I got something wrong.',
      'Nothing can break by that, can it?',
      'I would feel better if you confirmed it.',
    ],
  },
  {
    short: 'expert',
    label: 'an expert, uses technical terms and expects exact answers',
    openers: [
      'I know the system well, so feel free to be technical.',
      'I have read the documentation already.',
      'Background: I administer this for my department.',
      'I have checked the obvious causes.',
    ],
    closers: [
      'Include the exact values, please.',
      'Please state the source of the data.',
      'Raw output is fine for me.',
      'No need to explain the basics.',
    ],
  },
  {
    short: 'new to it',
    label: 'new to the subject, needs simple words',
    openers: [
      'I am completely new to this.',
      'My daughter set this up for me.',
      'I do not know the right words for it.',
      'I started last week and am still learning.',
    ],
    closers: [
      'Please explain it in simple words.',
      'One step after the other, please.',
      'I may need to ask again.',
      'Please avoid abbreviations.',
    ],
  },
  {
    short: 'informal',
    label: 'informal, writes in lower case with slang',
    openers: ['hey there', 'yo, quick thing', 'sup', 'hiya'],
    closers: ['cheers', 'thanks a bunch', 'you rock', 'no rush tho'],
  },
  {
    short: 'formal',
    label: 'formal, as in a business letter',
    openers: [
      'Dear Sir or Madam,',
      'To whom it may concern,',
      'Dear team,',
      'Good day, I am contacting you on behalf of our office.',
    ],
    closers: [
      'Yours faithfully',
      'I look forward to your reply.',
      'Kind regards',
      'Thank you for your prompt attention to this matter.',
    ],
  },
  {
    short: 'for someone else',
    label: 'writes on behalf of another person',
    openers: [
      'I am asking for my mother, who has no computer.',
      'My colleague is on leave and asked me to take over.',
      'I am writing for a neighbor.',
      'My partner cannot write at the moment, so I do.',
    ],
    closers: [
      'I will pass your answer on.',
      'She will be relieved.',
      'They asked me to write it down for them.',
      'He has agreed to this.',
    ],
  },
  {
    short: 'learning English',
    label: 'a learner of English, short sentences with small mistakes',
    openers: [
      'Hello, my English not so good.',
      'Please, I need help with one thing.',
      'Good day. I try to explain.',
      'Excuse me, I have question.',
    ],
    closers: [
      'I hope you understand me.',
      'Thank you for patience.',
      'Please write easy English.',
      'Sorry for mistakes.',
    ],
  },
  {
    short: 'thorough',
    label: 'thorough, wants to understand each step',
    openers: [
      'I like to understand what happens before I agree to it.',
      'I keep notes of everything, so please be precise.',
      'Before you start, I would like to know what you are going to do.',
      'I want to do this properly.',
    ],
    closers: [
      'Please list what you changed.',
      'Walk me through it, please.',
      'I will check every detail afterwards.',
      'Please say which information you used.',
    ],
  },
]

import { answeredTrace, type LabeledCase } from './labeled-case.ts'

/*
 * A question and an answer in each of 16 languages, each question with its own answer and with those of two others.
 */

const languages = [
  [
    'When does my parcel arrive in Oslo?',
    'Your parcel arrives on Tuesday, at the latest in the evening.',
  ],
  ['Wann kommt mein Paket in Oslo an?', 'Ihr Paket kommt am Dienstag an, spätestens am Abend.'],
  [
    'Quand est-ce que mon colis arrive à Oslo ?',
    'Votre colis arrive mardi, au plus tard dans la soirée.',
  ],
  ['¿Cuándo llega mi paquete a Oslo?', 'Su paquete llega el martes, a más tardar por la noche.'],
  ['Quando arriva il mio pacco a Oslo?', 'Il suo pacco arriva martedì, al più tardi in serata.'],
  [
    'Quando chega a minha encomenda a Oslo?',
    'A sua encomenda chega na terça-feira, o mais tardar à noite.',
  ],
  ['Wanneer komt mijn pakket aan in Oslo?', 'Uw pakket komt dinsdag aan, uiterlijk in de avond.'],
  ['När kommer mitt paket fram till Oslo?', 'Ditt paket kommer fram på tisdag, senast på kvällen.'],
  ['Kiedy moja paczka dotrze do Oslo?', 'Paczka dotrze we wtorek, najpóźniej wieczorem.'],
  ['Koska pakettini saapuu Osloon?', 'Pakettisi saapuu tiistaina, viimeistään illalla.'],
  ['Paketim Oslo’ya ne zaman ulaşacak?', 'Paketiniz salı günü, en geç akşam saatlerinde ulaşacak.'],
  [
    'Когда моя посылка прибудет в Осло?',
    'Ваша посылка прибудет во вторник, самое позднее вечером.',
  ],
  ['Πότε φτάνει το δέμα μου στο Όσλο;', 'Το δέμα σας φτάνει την Τρίτη, το αργότερο το βράδυ.'],
  ['私の荷物はいつオスロに届きますか？', 'お荷物は火曜日、遅くとも夜までに届きます。'],
  ['我的包裹什么时候到奥斯陆？', '您的包裹将于星期二送达，最迟在晚上。'],
  ['متى يصل طردي إلى أوسلو؟', 'يصل طردك يوم الثلاثاء، في المساء على أبعد تقدير.'],
] as const

export function languageCases(): LabeledCase[] {
  return languages.flatMap(([question, answer], index) => {
    const toCase = (other: string, isFaulty: boolean): LabeledCase => ({
      text: `${question} ${other}`,
      trace: answeredTrace(question, [], other),
      isFaulty,
      isFoundSimply: scriptOf(question) !== scriptOf(other),
    })
    const another = (step: number) => languages[(index + step) % languages.length]![1]
    return [
      toCase(answer, false),
      toCase(`${answer} \`arrives_at(parcel)\``, false),
      toCase(another(1), true),
      toCase(another(5), true),
    ]
  })
}

function scriptOf(text: string): string {
  const scripts = ['Latin', 'Cyrillic', 'Greek', 'Han', 'Arabic']
  return scripts.find((one) => new RegExp(`\\p{Script=${one}}{3}`, 'u').test(text)) ?? 'Han'
}

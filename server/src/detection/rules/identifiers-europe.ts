import { validate as isInsz } from 'stdnum/lib/cjs/be/nn.js'
import { validate as isEgn } from 'stdnum/lib/cjs/bg/egn.js'
import { validate as isAhv } from 'stdnum/lib/cjs/ch/ssn.js'
import { validate as isRodneCislo } from 'stdnum/lib/cjs/cz/rc.js'
import { validate as isIdNr } from 'stdnum/lib/cjs/de/idnr.js'
import { validate as isCpr } from 'stdnum/lib/cjs/dk/cpr.js'
import { validate as isIsikukood } from 'stdnum/lib/cjs/ee/ik.js'
import { validate as isDni } from 'stdnum/lib/cjs/es/dni.js'
import { validate as isNie } from 'stdnum/lib/cjs/es/nie.js'
import { validate as isHetu } from 'stdnum/lib/cjs/fi/hetu.js'
import { validate as isNino } from 'stdnum/lib/cjs/gb/nino.js'
import { validate as isAmka } from 'stdnum/lib/cjs/gr/amka.js'
import { validate as isOib } from 'stdnum/lib/cjs/hr/oib.js'
import { validate as isPps } from 'stdnum/lib/cjs/ie/pps.js'
import { validate as isCodiceFiscale } from 'stdnum/lib/cjs/it/codicefiscale.js'
import { validate as isAsmensKodas } from 'stdnum/lib/cjs/lt/asmens.js'
import { validate as isPersonasKods } from 'stdnum/lib/cjs/lv/pvn.js'
import { validate as isFodselsnummer } from 'stdnum/lib/cjs/no/fodselsnummer.js'
import { validate as isPesel } from 'stdnum/lib/cjs/pl/pesel.js'
import { validate as isCnp } from 'stdnum/lib/cjs/ro/cnp.js'
import { validate as isTcKimlik } from 'stdnum/lib/cjs/tr/tckimlik.js'
import {
  hasLuhnDigit,
  hasRomanianDigit,
  isDutchBsn,
  isFrenchNir,
  isGreekAfm,
  isNhsNumber,
  isPassportLine,
  isPortugueseNif,
  valid,
  weightedSum,
  withoutSeparators,
} from '../check-digits.ts'
import { identifier, identifierNear, type ShapeRule } from '../rule.ts'

/*
 * Identifiers of people in Europe and Turkey, and passports.
 */

const upper = (accepts: (value: string) => boolean) => (value: string) =>
  accepts(value.toUpperCase())

export const europeanIdentifiers: readonly ShapeRule[] = [
  identifier(
    'passport_mrz',
    /[A-Z0-9<]{9}\d[A-Z<]{3}\d{6}\d[MFX<]\d{6}\d[A-Z0-9<]{14}[0-9<]\d/,
    isPassportLine,
  ),
  identifier(
    'gb_nino',
    /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]( ?)\d{2}\1\d{2}\1\d{2}\1[A-D]/,
    valid(isNino),
  ),
  identifierNear(
    'gb_nino',
    ['national insurance', 'nino', 'ni number'],
    /[A-Za-z]{2}[ -]?(?:\d{2}[ -]?){3}[A-Da-d]/,
    upper(valid(isNino)),
  ),
  identifierNear('gb_nhs', ['nhs', 'health service'], /\d{3}([- ]?)\d{3}\1\d{4}/, isNhsNumber),
  identifierNear(
    'gb_driving_licence',
    ['driving licence', 'driving license', 'driver licence', 'dvla', 'driving_licence'],
    /[A-Z9]{5}\d{6}[A-Z9]{2}[A-Z0-9][A-Z]{2}(?:\d{2})?/,
    () => true,
  ),
  identifier(
    'fr_nir',
    /[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/,
    isFrenchNir,
  ),
  identifier(
    'it_codice_fiscale',
    /[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]/i,
    upper(valid(isCodiceFiscale)),
  ),
  identifier('es_nie', /[XYZ]-?\d{7}-?[A-Z]/i, upper(valid(isNie))),
  identifierNear(
    'es_dni',
    ['dni', 'nif', 'documento nacional', 'D.N.I.'],
    /\d{8}[- ]?[A-Z]|\d{2}\.\d{3}\.\d{3}-?[A-Z]/i,
    upper(valid(isDni)),
  ),
  identifier('fi_hetu', /\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]/, (value) => isHetu(value).isValid),
  identifier('ch_ahv', /756(\.?)\d{4}\1\d{4}\1\d{2}/, valid(isAhv)),
  identifierNear(
    'nl_bsn',
    ['bsn', 'burgerservicenummer', 'sofinummer'],
    /\d{9}|\d{4}[. ]\d{2}[. ]\d{3}|\d{3}[. ]\d{3}[. ]\d{3}/,
    isDutchBsn,
  ),
  identifierNear(
    'de_idnr',
    ['steuer', 'steuer-id', 'idnr', 'identifikationsnummer', 'tax id'],
    /\d{11}|\d{2} \d{3} \d{3} \d{3}/,
    valid(isIdNr),
  ),
  identifierNear('pl_pesel', ['pesel'], /\d{11}/, valid(isPesel)),
  identifierNear(
    'se_personnummer',
    ['personnummer', 'personnr', 'samordningsnummer', 'swedish personal'],
    /(?:19|20)?\d{6}[-+]?\d{4}/,
    (value) => isDateDigits(value) && hasLuhnDigit(value.replace(/\D/g, '').slice(-10)),
  ),
  identifierNear(
    'no_fodselsnummer',
    ['fødselsnummer', 'fodselsnummer', 'personnummer', 'fnr', 'norwegian national'],
    /\d{6} ?\d{5}/,
    valid(isFodselsnummer),
  ),
  identifierNear(
    'dk_cpr',
    ['cpr', 'personnummer', 'cpr-nummer', 'cpr-nr'],
    /\d{6}[- ]?\d{4}/,
    isDanishNumber,
  ),
  identifierNear(
    'be_national_number',
    [
      'rijksregister',
      'insz',
      'registre national',
      'niss',
      'national register',
      'numéro national',
      'numero national',
    ],
    /\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[. ]?\d{2}/,
    valid(isInsz),
  ),
  identifierNear(
    'tr_kimlik',
    ['kimlik', 'tckn', 'T.C.', 'tc no'],
    /[1-9]\d{10}/,
    valid(isTcKimlik),
  ),
  identifierNear('ee_isikukood', ['isikukood', 'estonian id'], /[1-8]\d{10}/, valid(isIsikukood)),
  identifierNear('lt_asmens_kodas', ['asmens kod'], /[1-6]\d{10}/, valid(isAsmensKodas)),
  identifierNear('lv_personas_kods', ['personas kod'], /\d{6}-?\d{5}/, valid(isPersonasKods)),
  identifierNear(
    'ro_cnp',
    ['cnp', 'cod numeric'],
    /[1-8]\d{12}/,
    (value) => hasRomanianDigit(value) && valid(isCnp)(value),
  ),
  identifierNear('bg_egn', ['egn', 'егн', 'единен граждански'], /\d{10}/, valid(isEgn)),
  identifierNear(
    'cz_rodne_cislo',
    ['rodné číslo', 'rodne cislo', 'rodného čísla', 'rodné č', 'r.č.', 'birth number'],
    /\d{2}[0-8]\d[0-3]\d\/?\d{3,4}/,
    valid(isRodneCislo),
  ),
  identifierNear('hr_oib', ['oib', 'osobni identifikacijski'], /\d{11}/, valid(isOib)),
  identifierNear('gr_amka', ['amka', 'αμκα', 'α.μ.κ.α'], /\d{11}/, valid(isAmka)),
  identifierNear('gr_afm', ['afm', 'αφμ', 'α.φ.μ'], /\d{9}/, isGreekAfm),
  identifierNear(
    'pt_nif',
    ['nif', 'contribuinte', 'número fiscal', 'numero fiscal'],
    /[1-35689]\d{8}|[1-35689]\d{2} \d{3} \d{3}/,
    isPortugueseNif,
  ),
  identifierNear(
    'ie_pps',
    ['pps', 'ppsn', 'personal public service'],
    /\d{7}[A-W][A-IW]?/i,
    upper(valid(isPps)),
  ),
]

/** stdnum accepts any check digit, because a few numbers issued since 2007 have none. */
function isDanishNumber(value: string): boolean {
  const digits = withoutSeparators(value)
  return isCpr(digits).isValid && weightedSum(digits, [4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
}

/** The digits before the last four are a date of birth; coordination numbers add 60 to the day. */
function isDateDigits(value: string): boolean {
  const digits = value.replace(/\D/g, '')
  const month = Number(digits.slice(-8, -6))
  const day = Number(digits.slice(-6, -4)) % 60
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

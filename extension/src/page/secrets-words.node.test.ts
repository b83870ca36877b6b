import { describe, expect, it } from "vitest";
import { isLabelOfCode, isLabelOfSecret, isNameOfSecret, speaksOfCard } from "./secrets-words";

describe("what people read beside a field", () => {
  it.each([
    "CVV2",
    "CVC2 *",
    "PIN",
    "Your PIN:",
    "Enter pin",
    "Card PIN",
    "Enter the 6-digit code we sent",
    "Six-digit code",
    "The code that we sent to +31 6",
    "Code from your authenticator app",
    "Verification code",
    "Security code",
    "Passwort",
    "Neues Passwort wiederholen",
    "Einmalpasswort",
    "Kennwort",
    "Bestätigungscode",
    "Besta\u0308tigungscode",
    "Sicherheitscode",
    "Mot de passe",
    "Saisissez votre mot de passe",
    "Code de vérification",
    "Contraseña",
    "Código de verificación",
    "Senha",
    "Código de segurança",
    "Parola",
    "Parolă",
    "Password (min. 8 caratteri)",
    "Wachtwoord",
    "Hasło",
    "Пароль",
    "Повторите пароль",
    "Код подтверждения",
    "密码",
    "请输入登录密码",
    "验证码",
    "パスワード",
    "認証コード",
    "비밀번호",
    "비밀번호를 입력하세요",
    "인증번호",
  ])("says that it holds a secret: %s", (label) => {
    expect(isLabelOfSecret(label)).toBe(true);
  });

  it.each([
    "Zip code",
    "Zip-code",
    "5-digit zip code",
    "PIN code",
    "Promo code",
    "Enter the promo code we sent you",
    "Discount code",
    "Country code",
    "Code of conduct",
    "Enter code",
    "Pinboard",
    "Pin to the top",
    "Shipping",
    "Passwortmanager",
    "Passenger",
    "Code postal",
    "Code promo",
    "Código postal",
    "Cerca una parola",
    "Parola chiave",
    "Postleitzahl",
    "Kod pocztowy",
    "Код города",
    "邮政编码",
    "우편번호",
  ])("says nothing of the kind: %s", (label) => {
    expect(isLabelOfSecret(label)).toBe(false);
  });

  it.each([
    ["Enter code", true],
    ["Enter the code:", true],
    ["Code", true],
    ["Confirmation code", true],
    ["Zip code", false],
    ["Promo code", false],
    ["Discount code", false],
    ["Country code", false],
    ["Code of conduct", false],
    ["Codeword", false],
  ])("%s is any code that a short number can be: %s", (label, isCode) => {
    expect(isLabelOfCode(label)).toBe(isCode);
  });
});

describe("the name of a field", () => {
  it.each([
    "passwort",
    "neuesKennwort",
    "mot_de_passe",
    "motdepasse",
    "contrasena",
    "user[senha]",
    "senha2",
    "wachtwoord",
    "haslo",
    "codigo_de_verificacion",
    "sicherheitscode",
  ])("says that it holds a secret: %s", (name) => {
    expect(isNameOfSecret(name)).toBe(true);
  });

  it.each(["zip-code", "promo_code", "discountCode", "countryCode", "pinboard", "desenhar"])(
    "says nothing of the kind: %s",
    (name) => {
      expect(isNameOfSecret(name)).toBe(false);
    },
  );

  it.each([
    ["card1", true],
    ["creditCard_2", true],
    ["cc-number", true],
    ["Kartennummer", true],
    ["discard", false],
    ["cardinal", false],
    ["year", false],
  ])("%s speaks of a card: %s", (name, isCard) => {
    expect(speaksOfCard(name)).toBe(isCard);
  });
});

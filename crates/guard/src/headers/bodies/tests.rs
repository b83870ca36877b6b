//! What goes from bodies and lines of a log, and what stays.

use super::*;

#[test]
fn values_of_secret_fields_go_however_they_are_written() {
    for (body, shown) in [
        (r#"{"password": "hunter2", "user": "a"}"#, r#"{"password": "[redacted]", "user": "a"}"#),
        (
            r#"{"access_token":"ab\"c","expires_in":3}"#,
            r#"{"access_token":"[redacted]","expires_in":3}"#,
        ),
        (
            r#"{"a":{"clientSecret" : "x\\"},"b":1}"#,
            r#"{"a":{"clientSecret" : "[redacted]"},"b":1}"#,
        ),
        (r#"{"pin":1234,"otp":99}"#, r#"{"pin":[redacted],"otp":[redacted]}"#),
        (
            r#"{"tokens_used":5,"token":["a]","b"],"c":1}"#,
            r#"{"tokens_used":5,"token":[redacted],"c":1}"#,
        ),
        (r#"{'api_key': 'x'}"#, r#"{'api_key': '[redacted]'}"#),
        (
            r#"{"data":"{\"password\":\"hunter2\",\"a\":1}"}"#,
            r#"{"data":"{\"password\":\"[redacted]\",\"a\":1}"}"#,
        ),
        (r#"{"password":"cut of"#, r#"{"password":"[redacted]"#),
        ("token=YWI=&password=YQ==", "token=[redacted]&password=[redacted]"),
        ("user=a&password=b%20c&x=1", "user=a&password=[redacted]&x=1"),
        ("x={password:\"a\",b:1}", "x={password:\"[redacted]\",b:1}"),
        (
            "<login><password>a b</password></login>",
            "<login><password>[redacted]</password></login>",
        ),
        ("name=\"password\"\r\n\r\nhunter2\r\n--b", "name=\"password\"\r\n\r\n[redacted]\r\n--b"),
        ("user[password]=hunter2&a=1", "user[password]=[redacted]&a=1"),
        ("user%5Bpassword%5D=hunter2&a=1", "user%5Bpassword%5D=[redacted]&a=1"),
        ("user%5bpin%5d=1234", "user%5bpin%5d=[redacted]"),
        ("<password type=\"x\">hunter2</password>", "<password type=\"x\">[redacted]</password>"),
        (
            "<wsse:Password Type='a/b'>hunter2</wsse:Password>",
            "<wsse:Password Type='a/b'>[redacted]</wsse:Password>",
        ),
        ("password[]=hunter2&a=1", "password[]=[redacted]&a=1"),
        ("passwords%5B%5D=hunter2", "passwords%5B%5D=[redacted]"),
        ("token[0]=hunter2&b[1]=c", "token[0]=[redacted]&b[1]=c"),
        ("user[password][]=hunter2", "user[password][]=[redacted]"),
        (r#"{"user[password]":"hunter2","a":1}"#, r#"{"user[password]":"[redacted]","a":1}"#),
        (
            r#"{"data":"{\"user[password]\":\"hunter2\"}"}"#,
            r#"{"data":"{\"user[password]\":\"[redacted]\"}"}"#,
        ),
        (
            "form-data; name=\"user[password]\"\r\n\r\nhunter2\r\n--b",
            "form-data; name=\"user[password]\"\r\n\r\n[redacted]\r\n--b",
        ),
        (
            "<password><![CDATA[hun<b>ter2]]></password>",
            "<password><![CDATA[[redacted]]]></password>",
        ),
        (
            "<wsse:Password Type=\"x\">\n<![CDATA[hunter2]]></wsse:Password>",
            "<wsse:Password Type=\"x\">\n<![CDATA[[redacted]]]></wsse:Password>",
        ),
        (
            "<password>\n  <value>hunter2</value></password>",
            "<password>\n  <value>[redacted]</value></password>",
        ),
        (r#"{"token":['a]b', 'c'],"d":1}"#, r#"{"token":[redacted],"d":1}"#),
        ("authorization: bearer éabc d", "authorization: bearer [redacted] d"),
        (r#"{password: "hunter2", a: 1}"#, r#"{password: "[redacted]", a: 1}"#),
        ("{a: 1, password: 'hunter2'}", "{a: 1, password: '[redacted]'}"),
        (
            "{pin: 1234, otp: 99, a: {token: [1, 2]}}",
            "{pin: [redacted], otp: [redacted], a: {token: [redacted]}}",
        ),
        (r#"Map(1) {"password" => "hunter2"}"#, r#"Map(1) {"password" => "[redacted]"}"#),
        ("Authorization: Basic dTpw", "Authorization: Basic [redacted]"),
        ("proxy-authorization: Bearer abc\nA: b", "proxy-authorization: Bearer [redacted]\nA: b"),
        ("with Basic dXNlcjpwYXNz, so", "with Basic [redacted], so"),
        (
            "curl -H 'Authorization: Bearer abcdefghijkl'",
            "curl -H 'Authorization: Bearer [redacted]'",
        ),
        (
            r#"{"y":1,"x":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"}"#,
            r#"{"y":1,"x":"[redacted]"}"#,
        ),
    ] {
        assert_eq!(redact_body(body), shown);
    }
}

#[test]
fn a_body_without_secrets_is_not_touched() {
    for body in [
        r#"{"max_tokens":100,"token_type":"bearer","key":"a","password":null,"otp":""}"#,
        "It's a page about \"password: managers\" and tokens.",
        "const token = getToken(); if (password == null) session = open();",
        "let a=b.token===c, d=(password)=>e",
        "Basic knowledge of tokens, and basic authentication",
        "Your name, password: managers know. {token: open()} (password: none)",
        "<password/>text <input type=password> and <token />more",
        "password",
        "\"password\"",
        "\"password\":",
        "é\"token\"é:é",
        "",
    ] {
        assert!(matches!(redact_body(body), Cow::Borrowed(_)), "{body}: {}", redact_body(body));
    }
}

#[test]
fn in_a_log_the_word_after_a_secret_name_goes() {
    for (line, shown) in [
        ("password: hunter2", "password: [redacted]"),
        ("sending password = hunter2; done", "sending password = [redacted]; done"),
        ("sid: a(b)=c", "sid: [redacted]"),
        ("password=Tr0ub(4)dor|x", "password=[redacted]"),
        ("Authorization: Basic  dXNlcjpwYXNz", "Authorization: Basic  [redacted]"),
        ("GET /?token=a&x=1 failed", "GET /?token=[redacted]&x=1 failed"),
        ("{user: \"a\", password: \"hunter2\"}", "{user: \"a\", password: \"[redacted]\"}"),
        (
            "credentials: {pass: \"a b\", pin: 7}",
            "credentials: {pass: \"[redacted]\", pin: [redacted]}",
        ),
    ] {
        assert_eq!(redact_log(line), shown);
    }
    for line in [
        "password is hunter2",
        "user: ada, token: null, tokens: 5",
        "Uncaught SyntaxError: Unexpected token '}'",
        "if (token == null) (token)=>1",
        "password:",
    ] {
        assert!(matches!(redact_log(line), Cow::Borrowed(_)), "{line}: {}", redact_log(line));
    }
}

#[test]
fn the_time_grows_with_the_length_and_no_faster() {
    let pieces = [
        "\"token\":",
        "password=",
        "\"",
        "token  ",
        "<token>",
        "\"token\":[",
        "a-",
        "bearer ",
        "basic ",
        "basic a",
        "authorization: basic ",
        "token: ,",
        "token[",
        "[0]",
        "password]",
        "<token><![CDATA[",
        ", token: ",
        "\\",
        "4111 ",
        "4111111111111111",
        "4111-1111-1111-1111%20",
        "{\"name\":\"password\",\"value\":",
        "{\"value\":\"\",\"name\":\"password\"",
        "\"name\":\"password\",\"value\" ",
        "name:'token',value:[",
        "%7B%22password%22%3A",
        "%2522token%2522",
        "%22",
        "%",
        "contraseña=",
        "密码",
        "\"пароль\":",
    ];
    crate::pace::assert_linear(&pieces, |text| redact_body(text).len());
    crate::pace::assert_linear(&pieces, |text| redact_log(text).len());
}

//! Pretending: `browser_resize` and `browser_emulate`. In this tab alone, without
//! touching the window; it holds until it is reset.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::BatchStep;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::cdp::{self, Command};
use crate::desk::{Desk, TabTarget};
use crate::page::{Page, page_of};

/// Smaller ones show nothing, larger ones cost more memory than they are worth.
const SIDE: std::ops::RangeInclusive<u32> = 50..=10_000;

/// Declares commands whose parameters are written where they are used.
macro_rules! commands {
    ($($name:ident = $method:literal;)*) => {$(
        #[derive(serde::Serialize)]
        #[serde(transparent)]
        struct $name(serde_json::Value);

        impl Command for $name {
            const METHOD: &'static str = $method;
        }
    )*};
}

commands! {
    SetDeviceMetrics = "Emulation.setDeviceMetricsOverride";
    ClearDeviceMetrics = "Emulation.clearDeviceMetricsOverride";
    SetTouch = "Emulation.setTouchEmulationEnabled";
    SetMedia = "Emulation.setEmulatedMedia";
    SetLocale = "Emulation.setLocaleOverride";
    SetTimezone = "Emulation.setTimezoneOverride";
    SetUserAgent = "Emulation.setUserAgentOverride";
    EnableNetwork = "Network.enable";
    SetNetwork = "Network.emulateNetworkConditions";
}

/// `browser_resize`.
pub(super) struct Resize(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResizeParams {
    /// CSS pixels.
    width: u32,
    /// CSS pixels.
    height: u32,
}

impl Tool for Resize {
    type Params = ResizeParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<ResizeParams>(
            "browser_resize",
            "Give the tab's viewport a size. The window stays as it is; browser_emulate resets it.",
            RiskLevel::Act,
            ToolSet::Full(Family::Diagnostics),
        )
    }

    async fn aim(&self, _: &ResizeParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::Emulate).await?)
    }

    async fn execute(&self, call: Authorized<ResizeParams, TabTarget>) -> Result<Reply, Fault> {
        let screen = Screen {
            width: call.params.width,
            height: call.params.height,
            scale: 0.0,
            mobile: false,
        };
        screen.check().map_err(|problem| invalid(&self.definition(), problem.to_owned()))?;
        let page = page_of(&self.0, &call, true).await?;
        let turn = self.0.turn(&call, page.place()).await?;
        page.act(&turn, screen.steps(page.tab)).await?;
        Ok(Reply::said(format!("The viewport is {}×{} now.", screen.width, screen.height)))
    }
}

/// What is drawn on.
struct Screen {
    width: u32,
    height: u32,
    /// Device pixels a CSS pixel; 0 for the browser's own.
    scale: f64,
    mobile: bool,
}

impl Screen {
    fn check(&self) -> Result<(), &'static str> {
        if SIDE.contains(&self.width)
            && SIDE.contains(&self.height)
            && (0.0..=5.0).contains(&self.scale)
        {
            return Ok(());
        }
        Err("A viewport is 50 to 10,000 pixels wide and high, and its scale at most 5")
    }

    fn steps(&self, tab: i64) -> Vec<BatchStep> {
        let metrics = SetDeviceMetrics(json!({
            "width": self.width, "height": self.height,
            "deviceScaleFactor": self.scale, "mobile": self.mobile,
        }));
        let touch = SetTouch(json!({"enabled": self.mobile}));
        vec![cdp::command(tab, &metrics), cdp::command(tab, &touch)]
    }
}

/// Devices by kind: what pages look at is how large they are and that they are touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Device {
    Phone,
    Tablet,
    Laptop,
}

impl Device {
    fn screen(self) -> Screen {
        match self {
            Device::Phone => Screen { width: 390, height: 844, scale: 3.0, mobile: true },
            Device::Tablet => Screen { width: 820, height: 1180, scale: 2.0, mobile: true },
            Device::Laptop => Screen { width: 1440, height: 900, scale: 2.0, mobile: false },
        }
    }
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ColorScheme {
    Light,
    Dark,
}

/// `browser_emulate`.
pub(super) struct Emulate(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EmulateParams {
    /// Size, scale and touch of one.
    device: Option<Device>,
    /// CSS pixels; with height.
    width: Option<u32>,
    /// CSS pixels; with width.
    height: Option<u32>,
    /// Device pixels a CSS pixel.
    scale: Option<f64>,
    /// What the page takes the user to prefer.
    color_scheme: Option<ColorScheme>,
    /// The page takes the user to want less motion.
    reduced_motion: Option<bool>,
    /// de-DE
    locale: Option<String>,
    /// Europe/Berlin
    timezone: Option<String>,
    /// No network.
    offline: Option<bool>,
    /// First end everything that was set before.
    reset: Option<bool>,
}

impl Tool for Emulate {
    type Params = EmulateParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<EmulateParams>(
            "browser_emulate",
            "Have the tab pretend: another device, dark mode, locale, time zone, offline. Holds until reset.",
            RiskLevel::Act,
            ToolSet::Full(Family::Diagnostics),
        )
    }

    async fn aim(&self, _: &EmulateParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::Emulate).await?)
    }

    async fn execute(&self, call: Authorized<EmulateParams, TabTarget>) -> Result<Reply, Fault> {
        let wrong = |problem: &str| invalid(&self.definition(), problem.to_owned());
        let screen = call.params.screen().map_err(wrong)?;
        let page = page_of(&self.0, &call, true).await?;
        let turn = self.0.turn(&call, page.place()).await?;
        let (steps, told) = call.params.steps(&page, screen.as_ref());
        if told.is_empty() {
            return Err(wrong("It does not say what to pretend"));
        }
        match page.act(&turn, steps).await {
            Err(error) if error.code() == ErrorCode::CapabilityFailed && call.params.names() => {
                return Err(wrong(
                    "The browser knows no such `locale` or `timezone`, so nothing was changed \
                     beside them. They are written as de-DE and Europe/Berlin",
                ));
            }
            done => done?,
        };
        Ok(Reply::said(format!(
            "In this tab: {}. Some pages notice only after a reload.",
            told.join(", ")
        )))
    }
}

impl EmulateParams {
    fn screen(&self) -> Result<Option<Screen>, &'static str> {
        let mut screen = match (self.device, self.width, self.height) {
            (None, None, None) if self.scale.is_none() => return Ok(None),
            (Some(device), None, None) => device.screen(),
            (None, Some(width), Some(height)) => {
                Screen { width, height, scale: 0.0, mobile: false }
            }
            _ => {
                return Err(
                    "Say a `device`, or `width` and `height` together; `scale` goes with either",
                );
            }
        };
        screen.scale = self.scale.unwrap_or(screen.scale);
        screen.check()?;
        Ok(Some(screen))
    }

    /// Whether it has names that the browser may not know.
    fn names(&self) -> bool {
        self.locale.is_some() || self.timezone.is_some()
    }

    /// What to send, and the same in words. Names first: if the browser doesn't
    /// know one, the rest is left.
    fn steps(&self, page: &Page<'_>, screen: Option<&Screen>) -> (Vec<BatchStep>, Vec<String>) {
        let tab = page.tab;
        let mut steps = Vec::new();
        let mut told = Vec::new();
        if self.reset == Some(true) {
            steps.extend(reset_steps(tab));
            told.push("everything as it was".to_owned());
        }
        if let Some(locale) = &self.locale {
            steps.push(cdp::command(tab, &SetLocale(json!({"locale": locale}))));
            // An empty one leaves the browser's own name as it is.
            let agent = json!({"userAgent": "", "acceptLanguage": locale});
            steps.push(cdp::command(tab, &SetUserAgent(agent)));
            told.push("another locale".to_owned());
        }
        if let Some(timezone) = &self.timezone {
            // In the place of another one, the browser takes any name.
            for name in ["", timezone] {
                steps.push(cdp::command(tab, &SetTimezone(json!({"timezoneId": name}))));
            }
            told.push("another time zone".to_owned());
        }
        if let Some(screen) = screen {
            steps.extend(screen.steps(tab));
            told.push(format!("a viewport of {}×{}", screen.width, screen.height));
        }
        if self.color_scheme.is_some() || self.reduced_motion.is_some() {
            steps.push(cdp::command(tab, &self.media()));
            told.extend(self.color_scheme.map(|scheme| match scheme {
                ColorScheme::Light => "light".to_owned(),
                ColorScheme::Dark => "dark".to_owned(),
            }));
            told.extend(
                self.reduced_motion
                    .map(|less| if less { "less motion" } else { "motion" }.to_owned()),
            );
        }
        if let Some(offline) = self.offline {
            steps.push(cdp::command(tab, &EnableNetwork(json!({}))));
            steps.push(cdp::command(tab, &network(offline)));
            told.push(if offline { "offline" } else { "online" }.to_owned());
        }
        (steps, told)
    }

    fn media(&self) -> SetMedia {
        let mut features = Vec::new();
        if let Some(scheme) = self.color_scheme {
            let value = if scheme == ColorScheme::Dark { "dark" } else { "light" };
            features.push(json!({"name": "prefers-color-scheme", "value": value}));
        }
        if let Some(less) = self.reduced_motion {
            let value = if less { "reduce" } else { "no-preference" };
            features.push(json!({"name": "prefers-reduced-motion", "value": value}));
        }
        SetMedia(json!({"features": features}))
    }
}

fn network(offline: bool) -> SetNetwork {
    SetNetwork(json!({
        "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    }))
}

fn reset_steps(tab: i64) -> Vec<BatchStep> {
    vec![
        cdp::command(tab, &ClearDeviceMetrics(json!({}))),
        cdp::command(tab, &SetTouch(json!({"enabled": false}))),
        cdp::command(tab, &SetMedia(json!({"features": []}))),
        cdp::command(tab, &SetLocale(json!({}))),
        cdp::command(tab, &SetUserAgent(json!({"userAgent": "", "acceptLanguage": ""}))),
        cdp::command(tab, &SetTimezone(json!({"timezoneId": ""}))),
        cdp::command(tab, &EnableNetwork(json!({}))),
        cdp::command(tab, &network(false)),
    ]
}

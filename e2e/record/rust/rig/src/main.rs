//! Rig with OpenAI: an agent that calls a tool, and a refused call. Its spans are `tracing` spans.

use std::error::Error;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::trace::SdkTracerProvider;
use rig::agent::AgentBuilder;
use rig::providers::openai::{OpenAI, OpenAIConfig};
use rig::tool::ToolExecutionError;
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

const QUESTION: &str = "Weather in Paris? 🌧";

#[rig::rig_tool(
    description = "The weather in a city, now.",
    params(city = "The city"),
    required(city)
)]
fn get_weather(city: String) -> Result<Value, ToolExecutionError> {
    drop(city);
    Ok(json!({ "temp": 14, "sky": "rain" }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let exporter = tokio::task::spawn_blocking(|| SpanExporter::builder().with_http().build()).await??;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .build();
    let layer = tracing_opentelemetry::layer()
        .with_location(false)
        .with_threads(false)
        .with_tracer(provider.tracer("rig"));
    tracing_subscriber::registry().with(layer).init();

    let models: OpenAI = OpenAIConfig::new("none")
        .with_base_url(std::env::var("MODEL_URL")?)
        .client();
    let agent = AgentBuilder::new(models.completion("gpt-4o-mini"))
        .name("weather")
        .preamble("You are terse.")
        .record_content_telemetry(true)
        .tool(GetWeather)
        .default_max_turns(5)
        .build();
    agent.prompt(QUESTION).await?;
    let refused = AgentBuilder::new(models.completion("refused-model")).build();
    if refused.prompt(QUESTION).await.is_ok() {
        return Err("the fake provider accepted a request that it should refuse".into());
    }
    tokio::task::spawn_blocking(move || provider.shutdown()).await??;
    Ok(())
}

"""The Pydantic AI agent of the recordings, with a model of either provider."""

from conversation import (
    CLAUDE,
    MODEL,
    MODEL_URL,
    PROVIDER,
    ROOT_URL,
    SYSTEM,
    weather_in,
)
from pydantic_ai import Agent


def model():
    if PROVIDER == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client = AsyncAnthropic(base_url=ROOT_URL, api_key="none", max_retries=0)
        return AnthropicModel(CLAUDE, provider=AnthropicProvider(anthropic_client=client))
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=MODEL_URL, api_key="none"))


def weather_agent(**settings) -> Agent:
    agent = Agent(model(), name="weather", instructions=SYSTEM, **settings)

    @agent.tool_plain
    def get_weather(city: str) -> dict:
        """The weather in a city, now."""
        return weather_in(city)

    return agent

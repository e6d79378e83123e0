package weather;

import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The conversation with OpenAI and Anthropic, an embedding and a refused call. */
@SpringBootApplication
public class Client {
    static final String SYSTEM = "You are terse.";
    static final String QUESTION = "Weather in Paris? 🌧";

    public static void main(String[] args) {
        System.exit(SpringApplication.exit(SpringApplication.run(Client.class, args)));
    }

    static class WeatherTools {
        @Tool(name = "get_weather", description = "The weather in a city, now.")
        Map<String, Object> getWeather(String city) {
            return Map.of("temp", 14, "sky", "rain");
        }
    }

    @Bean
    CommandLineRunner converse(
            OpenAiChatModel openai, AnthropicChatModel anthropic, EmbeddingModel embeddings, ObservationRegistry observations) {
        return args -> {
            for (ChatModel model : List.of(openai, anthropic)) {
                ChatClient client = ChatClient.create(model, observations);
                client.prompt().system(SYSTEM).user(QUESTION).tools(new WeatherTools()).call().content();
            }
            embeddings.embed(List.of("rain", "sun"));
            expectRefusal(ChatClient.create(openai, observations));
        };
    }

    static void expectRefusal(ChatClient client) {
        ChatOptions refused = ChatOptions.builder().model("refused-model").build();
        try {
            client.prompt().user(QUESTION).options(refused).call().content();
        } catch (RuntimeException refusal) {
            return;
        }
        throw new IllegalStateException("the fake provider accepted a request that it should refuse");
    }
}
